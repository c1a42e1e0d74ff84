#include "fuzz.h"
#include "ingest/system_metrics_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::ingest::SystemMetricsReader{},
                                  "system/1737457740.algo-1.json", data, size);
}

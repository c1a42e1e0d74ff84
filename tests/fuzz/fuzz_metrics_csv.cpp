#include "fuzz.h"
#include "ingest/trackers/metrics_csv_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::ingest::MetricsCsvReader{}, "metrics.csv", data, size);
}

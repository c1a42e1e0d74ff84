#include "fuzz.h"
#include "ingest/timeline_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::TimelineReader{},
                                  "pevents/1594662614815222_27-algo-1_horovod_timeline.json", data,
                                  size);
}

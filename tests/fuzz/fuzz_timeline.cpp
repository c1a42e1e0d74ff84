#include "fuzz.h"
#include "ingest/timeline_reader.h"

/// Blocks of a few bytes, so that events cross their borders; one thread, so that a crash repeats.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const debrief::ingest::TimelineReader reader{{.block = 200, .threads = 1}};
  return debrief::fuzz::read_with(
      reader, "pevents/1594662614815222_27-algo-1_horovod_timeline.json", data, size);
}

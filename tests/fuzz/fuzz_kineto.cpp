#include "fuzz.h"
#include "ingest/kineto/reader.h"

/// Blocks of a few bytes, so that events cross their borders; one thread, so that a crash repeats.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const debrief::KinetoReader reader{{.block = 200, .threads = 1}};
  return debrief::fuzz::read_with(reader, "algo-1_605.1794700287797757440.pt.trace.json", data,
                                  size);
}

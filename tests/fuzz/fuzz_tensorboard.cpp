#include "fuzz.h"
#include "ingest/trackers/tensorboard_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::ingest::TensorBoardReader{},
                                  "events.out.tfevents.1.host", data, size);
}

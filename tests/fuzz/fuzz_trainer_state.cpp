#include "fuzz.h"
#include "ingest/trackers/trainer_state_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::ingest::TrainerStateReader{}, "trainer_state.json", data,
                                  size);
}

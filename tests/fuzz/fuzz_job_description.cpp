#include "fuzz.h"
#include "ingest/job_description_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::ingest::JobDescriptionReader{}, "job.json", data, size);
}

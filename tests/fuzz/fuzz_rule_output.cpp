#include "fuzz.h"
#include "ingest/rule_output_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return debrief::fuzz::read_with(debrief::RuleOutputReader{}, "LowGPUUtilization.json", data,
                                  size);
}

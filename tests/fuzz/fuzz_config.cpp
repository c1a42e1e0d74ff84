#include "pipeline/config.h"
#include "util/error.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  debrief::pipeline::Config config;
  try {
    debrief::pipeline::apply_config({reinterpret_cast<const char*>(data), size}, "debrief.json",
                                    config);
  } catch (const debrief::Error&) {
    // A wrong config is one sentence; anything else is a finding.
  }
  return 0;
}

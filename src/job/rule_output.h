// What SageMaker's own profiler rule wrote about a job: one document per rule.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace debrief::job {

struct RuleOutput {
  std::string rule; ///< "LowGPUUtilization": the file's name without its ending
  std::int64_t triggered = 0;
  std::int64_t violations = 0;
  std::int64_t datapoints = 0;
  std::string parameters; ///< "threshold:3\nmode:None"
  nlohmann::json details; ///< the rule's own; an object
  std::string text;       ///< the whole document as it was written
};

} // namespace debrief::job

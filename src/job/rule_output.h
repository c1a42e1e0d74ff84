// What SageMaker's own profiler rule wrote about a job: one document per rule.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::job {

class RuleOutput {
public:
  std::string rule; ///< "LowGPUUtilization": the file's name without its ending
  std::int64_t triggered = 0;
  std::int64_t violations = 0;
  std::int64_t datapoints = 0;
  std::string parameters; ///< "threshold:3\nmode:None"
  std::string text;       ///< the whole document as it was written

  /// The rule's own; an object, null if there is none. Made anew on each call.
  nlohmann::json details() const;
  void set_details(const nlohmann::json& details);

private:
  /// Packed, since the library's objects take up to sixty times the room of their text.
  std::vector<std::uint8_t> details_;
};

} // namespace debrief::job

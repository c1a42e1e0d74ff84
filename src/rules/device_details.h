// SageMaker's "Details" of a rule that looks at devices: figures under node and device, in the
// order in which they were first found, and the start of the last window in which any was.
#pragma once

#include "rules/rule.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace debrief {

class DeviceDetails {
public:
  /// `first_window` orders the devices; `last_start` is when the last window in which this device
  /// violated the rule began, in microseconds.
  void add(const std::string& node, const std::string& device, std::int64_t first_window,
           Microseconds last_start, nlohmann::ordered_json figures);

  /// {node: {device: figures}, "last_timestamp": µs}; the time stands after the first node.
  nlohmann::ordered_json to_json() &&;

private:
  struct Entry {
    std::string node;
    std::string device;
    std::int64_t first_window = 0;
    nlohmann::ordered_json figures;
  };

  std::vector<Entry> entries_;
  Microseconds last_start_ = 0;
};

/// Status of a rule that needs more than `patience` and more than `window` samples of something.
/// `longest` is the size of its longest series; 0: there is none.
void judge_samples(RuleOutcome& outcome, const std::string& what, std::size_t longest,
                   std::size_t patience, std::size_t window = 0);

} // namespace debrief

// What rules that look at devices one by one share: SageMaker's "Details" (figures under node and
// device, in the order in which they were first found, and the start of the last window in which
// any was), the walk over all devices, and the status that follows from how many samples there are.
#pragma once

#include "aggregate/box.h"
#include "aggregate/device_usage.h"
#include "rules/incidents.h"
#include "rules/rule.h"
#include "rules/scan_windows.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace debrief::rules {

/// p25, p50, p75, p95, upper and lower, as SageMaker's files have them, after what `figures` has.
nlohmann::ordered_json with_box(nlohmann::ordered_json figures, const aggregate::Box& box);

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

/// What the look at one device adds to.
struct DeviceFindings {
  const ScanWindows& windows;
  RuleOutcome& outcome;
  IncidentList& incidents;
  DeviceDetails& details;
};

/// Which series of a node a rule looks at, and what they are called where there are none.
struct DeviceKind {
  std::vector<const job::MetricSeries*> aggregate::NodeDevices::*series;
  const char* name;
};

/// Looks at every device of the job; each trigger is a violation. Datapoints are those of the last
/// device, as SageMaker has it.
RuleOutcome
look_at_devices(const RuleInput& input, const ParameterValues& parameters, const DeviceKind& kind,
                std::size_t window_needed,
                const std::function<void(const job::MetricSeries&, DeviceFindings&)>& look);

} // namespace debrief::rules

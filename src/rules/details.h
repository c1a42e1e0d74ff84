// What rules report beside their counts: incidents, what ran meanwhile, and SageMaker's "Details"
// (figures under node and device, in the order in which they were first found, and the start of the
// last window in which any was). With it the walk over all devices that several rules make, and the
// status that follows from how many samples there are.
#pragma once

#include "aggregate/statistics.h"
#include "aggregate/usage.h"
#include "result/framework.h"
#include "result/rules.h"
#include "rules/rule.h"
#include "rules/scan_windows.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace debrief::rules {

/// Incidents: the stretches of time in which a rule's condition held. Collects them as a rule finds
/// them, and hands them over merged per node and device.
class IncidentList {
public:
  void add(const std::string& node, const std::string& device, TimeSpan span,
           const std::string& what = "");

  void append(IncidentList&& other);

  /// Fills the incidents of a rule's outcome: all counted, the longest kept, by time.
  void move_to(result::RuleRow& row) &&;

private:
  struct Place {
    std::string node;
    std::string device;
    std::string what;
    auto operator<=>(const Place&) const = default;
  };

  std::map<Place, std::vector<TimeSpan>> spans_;
};

/// p25, p50, p75, p95, upper and lower, as SageMaker's files have them, after what `figures` has.
nlohmann::ordered_json with_box(nlohmann::ordered_json figures, const aggregate::Box& box);

class DeviceDetails {
public:
  /// `first_window` orders the devices; `last_start` is when the last window in which this device
  /// violated the rule began, in microseconds.
  void add(const std::string& node, const std::string& device, std::int64_t first_window,
           Microseconds last_start, nlohmann::ordered_json figures);

  void append(DeviceDetails&& other);

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

/// What the look at one device, or at one node's, finds. Each has its own, so that they can be
/// looked at side by side.
struct DeviceFindings {
  const ScanWindows& windows;
  std::int64_t triggered = 0;
  std::vector<result::DeviceFigures> devices = {};
  IncidentList incidents = {};
  DeviceDetails details = {};

  /// Takes what was found elsewhere, in the order of the job.
  void append(DeviceFindings&& other);

  /// Each trigger is a violation.
  void move_to(RuleOutcome& outcome) &&;
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

// SageMaker's shape of what ran at certain times: the keys ratio, phase, CPU, GPU, general, … that
// its files have beside a rule's own.

/// Adds what ran inside the windows of `activity`.
void add_activity(nlohmann::ordered_json& details, const result::Activity& activity);

/// Adds the framework's figures of the whole job.
void add_framework(nlohmann::ordered_json& details, const result::Framework& framework);

} // namespace debrief::rules

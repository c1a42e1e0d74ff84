// What the result says about rules, SageMaker's and custom ones: one row each, with what it found,
// where and when.
#pragma once

#include "result/enum_names.h"
#include "result/findings.h"
#include "util/time.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace debrief::result {

enum class RuleStatus { issue_found, no_issue, not_evaluated };

template <>
inline constexpr auto kNames<RuleStatus> = std::to_array<const char*>({"issue_found", "no_issue",
                                                                       "not_evaluated"});

/// A stretch of time in which a rule's condition held.
struct Incident {
  std::string node;   ///< or the process, for rules on steps
  std::string device; ///< empty: the whole node
  TimeSpan span;
  std::string what; ///< "low", "fluctuating", "step 1203"; empty where the rule says it all
};

/// Figures of a rule for one device: "windows_low" -> 4.
struct DeviceFigures {
  std::string node;
  std::string device;
  std::map<std::string, double> figures;
};

/// A part of a rule's datapoints; parts sum to all of them.
struct DatapointPart {
  std::string name;
  std::int64_t count = 0;
  double percent = 0;
};

/// How busy some work was while a rule's condition held, against the rest of the time. Shares are
/// of wall time; work on several threads, and nested work, can pass 100.
struct ActivityRow {
  std::string group; ///< "phase", "cpu_operator", "gpu_operator", "general", "collective"
  std::string name;
  double inside_seconds = 0;
  double inside_percent = 0;
  std::optional<double> outside_percent; ///< absent where such work was recorded inside only
};

struct Activity {
  double inside_seconds = 0;  ///< how long the condition held
  double outside_seconds = 0; ///< the rest of the time in which the framework recorded
  std::map<std::string, double>
      group_seconds; ///< inside, of all of a group's work; not in the JSON
  std::vector<ActivityRow> rows;

  bool empty() const { return rows.empty(); }
};

/// For what a rule on the model triggered: a tensor (or a loss that was logged), at which steps,
/// and the condition that was true at the first of them.
struct TensorFinding {
  std::string tensor;
  std::string condition;       ///< "mean of absolute values"
  std::string relation;        ///< to the threshold: "below"
  std::optional<double> value; ///< absent where it is not finite
  std::optional<double> threshold;
  std::vector<std::int64_t> steps; ///< the first kMaxTensorSteps, ascending
  std::int64_t step_count = 0;
  /// From which step on the condition was true whenever it was looked at, up to the end; absent
  /// where it was not, or where the rule does not say.
  std::optional<std::int64_t> unbroken_from;
  std::int64_t unbroken_count = 0; ///< of those looks
};

/// At which steps a rule on the model triggered, and for what.
struct ModelSteps {
  std::vector<std::int64_t> steps; ///< the first kMaxModelSteps, ascending
  std::int64_t step_count = 0;
  std::vector<TensorFinding> tensors; ///< by first step; the first kMaxModelTensors
  std::int64_t tensor_count = 0;
  std::int64_t tensors_looked_at = 0; ///< where the rule says; else 0

  bool empty() const { return step_count == 0; }
};

inline constexpr std::size_t kMaxModelSteps = 1000;
inline constexpr std::size_t kMaxModelTensors = 100;
inline constexpr std::size_t kMaxTensorSteps = 200;

struct RuleRow {
  std::string rule;
  std::string description;
  std::string recommendation;
  RuleStatus status = RuleStatus::not_evaluated;
  std::string reason; ///< why not evaluated, or what to know about the outcome; may be empty
  std::optional<Severity> severity;   ///< of custom rules, which always have one, and of no other
  bool recorded_by_sagemaker = false; ///< counts are SageMaker's own
  std::int64_t triggered = 0;         ///< scan windows (times devices) in which the rule held
  std::int64_t violations = 0;
  std::int64_t datapoints = 0;
  /// Name and value, in the order of SageMaker's "RuleParameters".
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<Incident> incidents; ///< the longest kMaxIncidents, by time
  std::int64_t incident_count = 0;
  double incident_seconds = 0; ///< summed over nodes and devices
  double clock_seconds = 0;    ///< in which at least one incident held, by the clock
  std::string explained_by;    ///< kind of the finding in whose time it held; empty: of none
  std::vector<DeviceFigures> devices;
  std::vector<DatapointPart> parts;
  Activity activity;
  ModelSteps model;               ///< of rules that look at steps only
  nlohmann::ordered_json details; ///< SageMaker's "Details", for --rule-outputs; not in the JSON
  std::string recorded_text;      ///< SageMaker's own file where there is one; not in the JSON

  bool is_custom() const { return severity.has_value(); }
};

inline constexpr std::size_t kMaxIncidents = 200;
inline constexpr std::size_t kMaxActivities = 15; ///< of one group

} // namespace debrief::result

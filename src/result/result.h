// The result object: everything debrief found out about a job, as plain data. Every output (page,
// JSON) is a rendering of it. Times are microseconds since the epoch here and ISO-8601 in JSON;
// what is not known is absent here and null in JSON, never zero. docs/result.md describes each
// field.
#pragma once

#include "result/curves.h"
#include "result/devices.h"
#include "result/failure.h"
#include "result/findings.h"
#include "result/framework.h"
#include "result/gate.h"
#include "result/headline.h"
#include "result/model.h"
#include "result/python_stacks.h"
#include "result/quality.h"
#include "result/rules.h"
#include "result/steps.h"
#include "result/timeline.h"
#include "result/trace.h"
#include "result/xgboost.h"
#include "util/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// A machine of the job.
struct Node {
  std::string name;
  std::optional<std::int64_t> cores; ///< absent where no CPU metric was recorded
  std::optional<std::int64_t>
      gpus; ///< absent where no system metric was recorded; 0: measured, none seen
};

/// What `debrief record` did while the job ran, since it was asked to (--on).
struct RecorderAction {
  std::optional<Microseconds> time;
  std::string condition; ///< "idle_gpus for 10min"
  std::string action;    ///< "stop", "webhook", "email", "run"
  std::string why;       ///< what held: a sentence
  std::string outcome;   ///< "done", or what went wrong
};

struct JobSummary {
  std::string name;
  std::optional<TimeSpan> span;                    ///< first to last thing recorded
  std::optional<Microseconds> training_loop_start; ///< the first step's start
  std::optional<Microseconds> training_loop_end;   ///< the last step's end
  std::vector<Node> nodes;
  std::vector<std::string> processes;  ///< that recorded framework events
  std::optional<std::string> recorder; ///< "debrief 0.1.0", where `debrief record` made the job
  std::optional<std::string> framework;
  std::optional<std::string> instance_type;
  std::optional<std::int64_t> instance_count;
  std::optional<std::string> status;
  std::optional<Failure> failure;              ///< absent: it ended well, was stopped, or runs
  std::optional<Microseconds> described_start; ///< what the description says, where there is one
  std::optional<Microseconds> described_end;
  std::map<std::string, std::string> hyperparameters;
  std::optional<double> gpu_energy_kwh = {};  ///< of all GPUs, by their own counters
  std::optional<double> gpu_energy_cost = {}; ///< USD; absent without a price of energy
  std::vector<RecorderAction> actions = {};   ///< in their order
};

/// How long the parts of the job lasted, in seconds; absent where their ends are not known.
struct JobPhases {
  std::optional<double> job;
  std::optional<double> initialization;
  std::optional<double> training_loop;
  std::optional<double> finalization;

  /// Of the job.
  std::optional<double> percent(const std::optional<double>& part) const {
    if (!part || !job || *job <= 0) return std::nullopt;
    return 100 * *part / *job;
  }
};

inline JobPhases job_phases(const JobSummary& summary) {
  JobPhases out;
  const auto& span = summary.span;
  const auto& start = summary.training_loop_start;
  const auto& end = summary.training_loop_end;
  if (span) out.job = in_seconds(span->length());
  if (span && start) out.initialization = in_seconds(*start - span->first);
  if (start && end) out.training_loop = in_seconds(*end - *start);
  if (span && end) out.finalization = in_seconds(span->last - *end);
  return out;
}

/// A rule's parameter that the job itself set wrongly, and so had no effect.
struct IgnoredParameter {
  std::string name;
  std::string value;
  std::string reason;
};

struct Provenance {
  std::string version;
  std::string input;                             ///< name of the folder or file that was given
  std::map<std::string, std::string> parameters; ///< that differ from their defaults
  std::vector<IgnoredParameter> ignored_parameters;
};

struct Result {
  JobSummary job;
  TimeAccounting time_accounting;
  std::vector<UsageRow> system_usage;
  std::vector<DeviceRow> devices;
  std::vector<SmActivityRow> sm_activity; ///< of GPUs that measure it
  LoadBalance load_balance;
  Framework framework;
  std::vector<StepRow> steps;
  DataLoading data_loading;
  Traces traces;
  Curves curves;
  Xgboost xgboost;
  Model model;                   ///< of jobs that saved tensors
  PythonStacks python_stacks;    ///< of jobs whose processes were sampled
  std::vector<RuleRow> rules;    ///< most triggered first
  std::vector<Finding> findings; ///< most costly first
  Verdict verdict;
  Waste waste;
  Headline headline;
  std::optional<Gate> gate; ///< of `debrief check` only
  Timeline timeline;        ///< not in the JSON
  DataQuality data_quality;
  Provenance provenance;
};

} // namespace debrief::result

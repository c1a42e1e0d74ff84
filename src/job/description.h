// What a job says about itself: the description file beside its data (job.json, or SageMaker's
// DescribeTrainingJob answer). Every part is optional; what the file does not say is absent.
#pragma once

#include "util/time.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

/// What `debrief record` did while the job ran, since it was asked to (--on).
struct RecorderAction {
  std::optional<Microseconds> time;
  std::string condition; ///< "idle_gpus for 10min"
  std::string action;    ///< "stop", "webhook", "email", "run"
  std::string why;       ///< what held: a sentence
  std::string outcome;   ///< "done", or what went wrong
};

struct JobDescription {
  std::optional<std::string> name;
  std::optional<Microseconds> start;
  std::optional<Microseconds> end;
  std::optional<std::string> status; ///< "Completed", "Failed", "Stopped"
  std::optional<int> exit_code;      ///< of the recorded command
  std::optional<int> signal;         ///< that ended it
  std::optional<std::string> instance_type;
  std::optional<std::int64_t> instance_count;
  std::optional<std::string> framework; ///< "pytorch 2.11.0+cu130"
  std::optional<double> sampling_interval_ms;
  std::map<std::string, std::string> hyperparameters;
  /// Parameters of profiler rules, as "<Rule>_<parameter>" -> value.
  std::map<std::string, std::string> rule_parameters;
  std::optional<std::string> recorder; ///< "debrief 0.1.0", where `debrief record` made the job
  /// What it could not record, and why: whole sentences.
  std::vector<std::string> recorder_notes;
  std::vector<RecorderAction> recorder_actions; ///< in their order
};

} // namespace debrief::job

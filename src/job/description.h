// What a job says about itself: the description file beside its data (job.json, or SageMaker's
// DescribeTrainingJob answer). Every part is optional; what the file does not say is absent.
#pragma once

#include "util/time.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

struct JobDescription {
  std::optional<std::string> name;
  std::optional<Microseconds> start;
  std::optional<Microseconds> end;
  std::optional<std::string> status; ///< "Completed", "Failed", "Stopped"
  std::optional<std::string> instance_type;
  std::optional<std::int64_t> instance_count;
  std::optional<std::string> framework; ///< "pytorch 2.11.0+cu130"
  std::optional<double> sampling_interval_ms;
  std::map<std::string, std::string> hyperparameters;
  /// Parameters of profiler rules, as "<Rule>_<parameter>" -> value.
  std::map<std::string, std::string> rule_parameters;
  /// What `debrief record` could not record, and why: whole sentences.
  std::vector<std::string> recorder_notes;
};

} // namespace debrief::job

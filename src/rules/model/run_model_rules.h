// Runs SageMaker's rules on the model: on saved tensors where a job has them, else on the losses
// that it logged.
#pragma once

#include "rules/rule.h"
#include "rules/settings.h"

#include <vector>

namespace debrief::rules::model {

/// A row for each rule that applies to the job, and for each further name that one was given. None
/// where a job has neither tensors nor losses.
std::vector<result::RuleRow> run_model_rules(const RuleInput& input, const RuleSettings& settings);

} // namespace debrief::rules::model

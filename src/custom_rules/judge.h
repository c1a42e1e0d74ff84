// What a custom rule with a condition says of a job, one function for each kind of subject. Rows
// have neither name, texts nor settings.
#pragma once

#include "custom_rules/condition.h"
#include "rules/rule.h"

namespace debrief::custom_rules {

/// Of a metric of the whole job, `input.result`.
result::RuleRow judge_metric(const Condition& condition, const rules::RuleInput& input);

/// Of what machines measured.
result::RuleRow judge_series(const Condition& condition, const rules::RuleInput& input);

/// Of what the training script logged.
result::RuleRow judge_scalars(const Condition& condition, const rules::RuleInput& input);

/// Of saved tensors.
result::RuleRow judge_tensors(const Condition& condition, const rules::RuleInput& input);

/// The one that fits.
result::RuleRow judge(const Condition& condition, const rules::RuleInput& input);

} // namespace debrief::custom_rules

// SageMaker's own outcome of a rule as a row of the rules table.
#pragma once

#include "result/result.h"
#include "rules/rule.h"
#include "sagemaker_figures/details.h"

namespace debrief::rules {

/// Counts are as recorded; whether the rule could be evaluated is concluded from them.
result::RuleRow recorded_row(const job::RuleOutput& output, const Rule& rule,
                             const result::Result& result);

} // namespace debrief::rules

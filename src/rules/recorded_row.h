// SageMaker's own outcome of a rule as a row of the rules table.
#pragma once

#include "sagemaker_figures/details.h"
#include "result/result.h"
#include "rules/rule.h"

namespace debrief {

/// Counts are as recorded; whether the rule could be evaluated is concluded from them.
result::RuleRow recorded_row(const RuleOutput& output, const Rule& rule,
                             const result::Result& result);

} // namespace debrief

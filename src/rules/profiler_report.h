// ProfilerReport, the rule that runs all others and gathers what they found.
#pragma once

#include "result/result.h"
#include "rules/rule.h"
#include "rules/settings.h"
#include "sagemaker_figures/details.h"

#include <vector>

namespace debrief::rules {

/// One row per rule, most triggered first. Where a job lacks what a rule looks at, but has
/// SageMaker's own outcome of it, that is the row.
std::vector<result::RuleRow> run_rules(const RuleInput& input, const RuleSettings& settings);

/// Most triggered first; those alike stay in their order.
void sort_rows(std::vector<result::RuleRow>& rows);

// SageMaker's own outcome of a rule as a row of the rules table.

/// Counts are as recorded; whether the rule could be evaluated is concluded from them.
result::RuleRow recorded_row(const job::RuleOutput& output, const Rule& rule,
                             const result::Result& result);

} // namespace debrief::rules

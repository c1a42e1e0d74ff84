// ProfilerReport, the rule that runs all others and gathers what they found.
#pragma once

#include "rules/rule.h"
#include "rules/settings.h"

#include <vector>

namespace debrief::rules {

/// One row per rule, most triggered first. Where a job lacks what a rule looks at, but has
/// SageMaker's own outcome of it, that is the row.
std::vector<result::RuleRow> run_rules(const RuleInput& input, const RuleSettings& settings);

} // namespace debrief::rules

// Which finding is behind a rule that triggered: a rule looks at symptoms, so most of its time lies
// in that of the finding that has their cause.
#pragma once

#include "result/findings.h"
#include "result/rules.h"

#include <span>

namespace debrief::findings {

/// Fills `explained_by` of rules that triggered. Findings that cost no time explain nothing.
void explain_rules(std::span<result::RuleRow> rules, std::span<const result::Finding> findings);

} // namespace debrief::findings

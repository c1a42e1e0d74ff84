// SageMaker's rule outputs, for tools and notebooks made for them: one file per rule, one line,
// with its keys in its order.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::render {

/// {"RuleTriggered": …, "Violations": …, "Details": …, "Datapoints": …, "RuleParameters": …}
std::string rule_output_text(const result::RuleRow& rule);

/// Writes <rule>.json of every rule into the folder, which is made where it is missing. Where a job
/// has SageMaker's own file of a rule and nothing to evaluate it on, that is what is written; a job
/// with nothing else throws Error. Returns the number of bytes.
std::size_t write_rule_outputs(const result::Result& result, const std::string& folder);

} // namespace debrief::render

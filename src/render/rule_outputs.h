// SageMaker's rule outputs, for tools and notebooks made for them: one file per rule, one line,
// with its keys in its order.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::render {

/// {"RuleTriggered": …, "Violations": …, "Details": …, "Datapoints": …, "RuleParameters": …}
std::string rule_output_text(const result::RuleRow& rule);

/// Writes <rule>.json of every rule into the folder, which is made where it is missing. Rules whose
/// outcome is SageMaker's own are left out; a result with nothing else throws Error. Returns the
/// number of bytes.
std::size_t write_rule_outputs(const result::Result& result, const std::string& folder);

} // namespace debrief::render

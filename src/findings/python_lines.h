// Which line of the job's own Python code a finding's time was spent in, as sampled stacks tell.
#pragma once

#include "findings/diagnosis_context.h"

#include <string>

namespace debrief::findings {

/// Names the function and line in the finding's reason, where it is about the CPU and one function
/// has a large share of its time.
void name_line(const DiagnosisContext& ctx, result::Finding& finding);

/// " 78% of the time was in prepare (prepare.py:31)."; empty where no function stands out.
std::string longest_line(const DiagnosisContext& ctx);

} // namespace debrief::findings

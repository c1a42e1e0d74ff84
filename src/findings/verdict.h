// The one finding to act on first, or that there is none.
#pragma once

#include "findings/case.h"

#include <vector>

namespace debrief::findings {

/// `findings` are in order. The most costly that is at least a warning, then a risk that is; else
/// the job is healthy, or nothing can be said.
result::Verdict verdict_of(const Case& of, const std::vector<result::Finding>& findings);

} // namespace debrief::findings

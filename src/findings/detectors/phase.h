// What the findings on a job's start and finish share.
#pragma once

#include "findings/case.h"

namespace debrief::findings {

/// Seconds of the phase, on the node that took longest.
double phase_seconds(const Case& of, Cause cause);

/// As cost_finding(), where the phase is also too long for what any framework takes.
std::optional<result::Finding> phase_finding(const Case& of, Cause cause, const char* kind);

} // namespace debrief::findings

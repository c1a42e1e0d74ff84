// Where the job's time went: initialization, steps by mode, between steps, finalization. The parts
// do not overlap and sum to the job's duration.
#pragma once

#include "aggregate/steps.h"
#include "result/result.h"

#include <span>

namespace debrief::aggregate {

/// Steps whose clock is not known cannot be placed in the job and are left out. Without any other,
/// all of the job that comes after its first step's start, if that is known, is "unattributed"; so
/// is all around profiled steps where these are all that is known.
result::TimeAccounting time_accounting(const result::JobSummary& job,
                                       std::span<const StepSeries> steps);

} // namespace debrief::aggregate

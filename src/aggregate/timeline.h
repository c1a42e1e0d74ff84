// The job on one time axis: its metrics node by node, its steps, its phases.
#pragma once

#include "aggregate/steps.h"
#include "job/job.h"
#include "result/result.h"

#include <span>

namespace debrief::aggregate {

/// Steps whose clock is not known cannot be placed and are left out.
result::Timeline timeline(const job::Job& job, const result::JobSummary& summary,
                          std::span<const StepSeries> steps);

} // namespace debrief::aggregate

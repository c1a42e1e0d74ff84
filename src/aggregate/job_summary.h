// When a job ran, when it trained, and on what: the head of the report.
#pragma once

#include "job/job.h"
#include "result/result.h"

namespace debrief {

/// The job's span is that of its samples, widened to its steps; without either, what SageMaker's
/// rules or the description say. The training loop lasts from the first step's start to the last
/// step's end.
result::JobSummary job_summary(const Job& job);

} // namespace debrief

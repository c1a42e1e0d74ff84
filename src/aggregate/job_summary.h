// When a job ran, when it trained, and on what: the head of the report.
#pragma once

#include "job/job.h"
#include "result/result.h"

namespace debrief::aggregate {

/// The job's span is that of its samples, widened to its steps; without either, what SageMaker's
/// rules, the description, PyTorch traces or, last, the training log say. The training loop lasts
/// from the first step's start to the last step's end; profiled steps are within it, but say
/// nothing of its bounds.
result::JobSummary job_summary(const job::Job& job);

} // namespace debrief::aggregate

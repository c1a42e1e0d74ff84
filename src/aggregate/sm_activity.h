// Whether kernels that ran on a GPU filled it: GPU utilization says that some kernel ran, SM
// activity how many of the GPU's multiprocessors had work.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <vector>

namespace debrief::aggregate {

/// Of GPUs that measure both, by node and number; within the training loop where the summary knows
/// one and it has samples, else over the whole job.
std::vector<result::SmActivityRow> sm_activity(const job::Job& job,
                                               const result::JobSummary& summary);

} // namespace debrief::aggregate

// Cores and GPUs of a node that were sampled for less long than the node itself, or never.
#pragma once

#include "job/job.h"
#include "result/quality.h"

#include <vector>

namespace debrief::aggregate {

/// `nodes` are the job's, with their spans and gaps already.
void find_less_sampled(const job::Job& job, std::vector<result::NodeSampling>& nodes);

} // namespace debrief::aggregate

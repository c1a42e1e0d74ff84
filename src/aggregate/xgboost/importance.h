// How much each feature counts: from the saved trees, else from what the hook saved last.
#pragma once

#include "job/job.h"
#include "result/xgboost.h"

namespace debrief::aggregate {

/// Fills the importance of `report`. What cannot be read is counted in `lost`.
void add_importance(const job::Job& job, result::Xgboost& report, job::Troubles& lost);

} // namespace debrief::aggregate

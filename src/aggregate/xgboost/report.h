// The XGBoost report: what the job saved about its model and its predictions.
#pragma once

#include "job/job.h"
#include "result/xgboost.h"

namespace debrief::aggregate {

/// Empty for a job that is not XGBoost's. Saved labels and predictions are read here; what cannot
/// be read is counted in `lost`.
result::Xgboost xgboost_report(const job::Job& job, job::Troubles& lost);

} // namespace debrief::aggregate

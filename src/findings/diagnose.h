// debrief's own diagnosis: from a job and the figures that were made of it to findings, the verdict
// and the waste.
#pragma once

#include "aggregate/steps.h"
#include "aggregate/work.h"
#include "job/job.h"
#include "result/result.h"

#include <optional>
#include <span>

namespace debrief::findings {

struct DiagnoseOptions {
  std::optional<double> price; ///< USD of one GPU-hour
};

/// Fills `result.findings`, `result.verdict` and `result.waste` from everything else in it.
void diagnose(const job::Job& job, const aggregate::WorkKinds& kinds,
              std::span<const aggregate::StepSeries> steps, const DiagnoseOptions& options,
              result::Result& result);

} // namespace debrief::findings

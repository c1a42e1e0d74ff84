// debrief's own diagnosis: from a job and the figures that were made of it to findings, the verdict
// and the waste.
#pragma once

#include "aggregate/node_series.h"
#include "aggregate/steps.h"
#include "findings/diagnosis_context.h"
#include "findings/ledger.h"
#include "findings/model_health.h"
#include "findings/process_time.h"
#include "job/job.h"
#include "result/findings.h"
#include "result/result.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief::findings {

/// A job, and what was found out about it beside the result.
struct DiagnosisInput {
  const job::Job& job;
  std::span<const ProcessTime> processes;
  std::span<const aggregate::StepSeries> steps;
  std::span<const aggregate::NodeSeries> series;
  std::optional<ModelTrouble> trouble; ///< of the logged losses: find_model_trouble
};

struct DiagnoseOptions {
  std::optional<double> price; ///< USD of one GPU-hour
};

/// Fills `result.findings`, `result.verdict`, `result.waste` and `result.headline` from everything
/// else in it, and what rules that triggered are explained by.
void diagnose(const DiagnosisInput& input, const DiagnoseOptions& options, result::Result& result);

// The ledger as the reader sees it: hours, by finding.

result::Waste waste_of(const Ledger& ledger, const std::vector<result::Finding>& findings,
                       std::optional<double> price);

// The one finding to act on first, or that there is none.

/// `findings` are in order. The most costly that is at least a warning, then a risk that is; else
/// the most costly of a job that loses much; else the job is healthy, or nothing can be said.
result::Verdict verdict_of(const DiagnosisContext& ctx,
                           const std::vector<result::Finding>& findings);

} // namespace debrief::findings

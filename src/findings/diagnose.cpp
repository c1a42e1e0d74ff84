#include "findings/diagnose.h"

#include "findings/case.h"
#include "findings/detectors/detectors.h"
#include "findings/make_ledger.h"
#include "findings/verdict.h"
#include "findings/waste.h"

#include <algorithm>

namespace debrief::findings {

namespace {

using result::Finding;

/// Causes outrank symptoms: little work of the GPUs is told by what explains most of it, where that
/// is more than what is left.
void merge_symptoms(std::vector<Finding>& findings) {
  double largest_cause = 0;
  for (const Finding& finding : findings)
    if (finding.kind != "underutilized") largest_cause = std::max(largest_cause, finding.score);
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.kind == "underutilized" && finding.score < largest_cause;
  });
}

/// Most costly first; what costs nothing by how severe it is.
bool comes_first(const Finding& a, const Finding& b) {
  return a.score != b.score ? a.score > b.score : a.severity > b.severity;
}

std::vector<Finding> find_all(const Case& of) {
  std::vector<Finding> found;
  if (!has_too_little_data(of)) {
    for (const auto find : {find_input_bound, find_cpu_bound, find_io_bound, find_underutilized,
                            find_idle_gpus, find_load_imbalance, find_step_stalls, find_slow_start,
                            find_slow_finish, find_between_steps, find_communication_bound})
      if (auto finding = find(of)) found.push_back(std::move(*finding));
    merge_symptoms(found);
  }
  for (const auto find : {find_memory_growth, find_memory_pressure})
    if (auto finding = find(of)) found.push_back(std::move(*finding));
  if (auto finding = find_insufficient_data(of, found)) found.push_back(std::move(*finding));
  std::stable_sort(found.begin(), found.end(), comes_first);
  return found;
}

} // namespace

void diagnose(const job::Job& job, const aggregate::WorkKinds& kinds,
              std::span<const aggregate::StepSeries> steps, const DiagnoseOptions& options,
              result::Result& result) {
  const Loop loop = find_loop(result);
  const std::vector<ProcessTime> processes = process_times(job.events, kinds, steps);
  const Ledger ledger = make_ledger(result, loop, processes);
  const Case of{result, ledger, loop, processes};
  result.findings = find_all(of);
  result.verdict = verdict_of(of, result.findings);
  result.waste = waste_of(ledger, result.findings, options.price);
}

} // namespace debrief::findings

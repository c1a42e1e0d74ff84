#include "findings/case.h"

#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

using namespace thresholds;
using result::Confidence;
using result::Severity;

/// Figures that SageMaker made, a few profiled steps and hints on the host are less than samples
/// with events beside them.
Confidence confidence_in(const Case& of, Cause cause) {
  const bool tells_itself = cause == Cause::idle_gpu || cause == Cause::io || cause == Cause::cpu ||
                            cause == Cause::imbalance || cause == Cause::unexplained;
  switch (of.ledger.basis) {
  case Basis::samples:
    if (static_cast<double>(of.ledger.samples) < kManySamples) return Confidence::low;
    if (cause == Cause::start) return of.loop.start_known ? Confidence::high : Confidence::medium;
    if (cause == Cause::finish) return of.loop.end_known ? Confidence::high : Confidence::medium;
    if (cause == Cause::communication && !of.result.traces.communication.overlap.empty())
      return Confidence::high;
    if (of.events_known() || cause == Cause::idle_gpu) return Confidence::high;
    return tells_itself ? Confidence::medium : Confidence::low;
  case Basis::traces:
    return static_cast<double>(of.result.traces.steps.size()) >= kManySteps ? Confidence::medium
                                                                            : Confidence::low;
  case Basis::recorded:
    return cause == Cause::idle_gpu || cause == Cause::start ? Confidence::medium : Confidence::low;
  case Basis::steps:
    return static_cast<double>(step_count(of.result)) >= kManySteps ? Confidence::high
                                                                    : Confidence::medium;
  case Basis::cores:
    return Confidence::medium;
  case Basis::none:
    break;
  }
  return Confidence::low;
}

/// What no stretch of it shows more than others holds all along.
std::vector<TimeSpan> windows_of(const Case& of, Cause cause) {
  const std::vector<TimeSpan>& windows = of.ledger.windows[index_of(cause)];
  if (!windows.empty() || of.ledger.basis != Basis::samples) return windows;
  const TimeSpan all =
      cause == Cause::idle_gpu ? of.result.job.span.value_or(of.loop.span) : of.loop.span;
  if (all.length() <= 0) return {};
  return {all};
}

std::vector<result::Place> places(const Ledger& ledger, Cause cause) {
  std::vector<result::Place> out;
  for (const Account& account : ledger.accounts)
    if (const double lost = account.lost[index_of(cause)]; lost > 0)
      out.push_back({account.node, account.device, "",
                     std::min(lost / (account.paid - account.unmeasured), 1.0)});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (out.size() > result::kMaxPlaces) out.resize(result::kMaxPlaces);
  return out;
}

} // namespace

std::int64_t step_count(const result::Result& result) {
  std::int64_t count = 0;
  for (const result::StepRow& row : result.steps)
    count += row.count;
  return count;
}

bool Case::events_known() const {
  return std::any_of(processes.begin(), processes.end(),
                     [](const ProcessTime& process) { return !process.profiled; });
}

void set_windows(std::vector<TimeSpan> windows, result::Finding& finding) {
  finding.window_count = static_cast<std::int64_t>(windows.size());
  finding.window_seconds = in_seconds(aggregate::total_length(windows));
  std::stable_sort(windows.begin(), windows.end(),
                   [](const TimeSpan& a, const TimeSpan& b) { return a.length() > b.length(); });
  if (windows.size() > result::kMaxWindows) windows.resize(result::kMaxWindows);
  std::sort(windows.begin(), windows.end(),
            [](const TimeSpan& a, const TimeSpan& b) { return a.first < b.first; });
  finding.windows = std::move(windows);
}

std::string ground_of(const Case& of) {
  std::vector<std::string> parts;
  if (of.ledger.basis == Basis::recorded) parts.push_back("SageMaker's rule outputs");
  if (of.ledger.samples > 0) parts.push_back(words::counted(of.ledger.samples, "sample"));
  if (of.events_known()) parts.push_back(words::counted(step_count(of.result), "step"));
  if (!of.result.traces.empty())
    parts.push_back(words::counted(std::ssize(of.result.traces.steps), "profiled step"));
  if (parts.empty() && step_count(of.result) > 0)
    parts.push_back(words::counted(step_count(of.result), "step"));
  if (parts.empty() && of.loop.start_known) parts.emplace_back("when the first step began");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<result::Finding> cost_finding(const Case& of, Cause cause, const char* kind) {
  const double share = of.ledger.share(cause);
  if (share < kWorthNaming) return std::nullopt;
  result::Finding finding;
  finding.kind = kind;
  finding.score = std::min(share, 1.0);
  finding.confidence = confidence_in(of, cause);
  finding.severity = share >= kCritical  ? Severity::critical
                     : share >= kWarning ? Severity::warning
                                         : Severity::info;
  // A few profiled steps are not the job.
  if (of.ledger.basis == Basis::traces && finding.confidence == Confidence::low)
    finding.severity = std::min(finding.severity, Severity::warning);
  finding.ground = ground_of(of);
  set_windows(windows_of(of, cause), finding);
  finding.where = places(of.ledger, cause);
  return finding;
}

} // namespace debrief::findings

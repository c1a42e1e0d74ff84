#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

double phase_seconds(const DiagnosisContext& ctx, Cause cause) {
  double longest = 0;
  for (const Account& account : ctx.ledger.accounts)
    longest = std::max(longest, account.lost[index_of(cause)]);
  return longest;
}

std::optional<result::Finding> phase_finding(const DiagnosisContext& ctx, Cause cause,
                                             result::FindingKind kind) {
  auto finding = cost_finding(ctx, cause, kind);
  if (!finding || phase_seconds(ctx, cause) >= thresholds::kMinPhase) return finding;
  if (finding->score < thresholds::kLargePhase) return std::nullopt;
  finding->severity = result::Severity::info;
  return finding;
}

// Initialization takes a large share of the job.

std::optional<result::Finding> find_slow_start(const DiagnosisContext& ctx) {
  auto finding = phase_finding(ctx, Cause::start, result::FindingKind::slow_start);
  if (!finding) return std::nullopt;
  const double seconds = phase_seconds(ctx, Cause::start);
  finding->title = "The job takes long to start";
  finding->why = fmt::format("{} passed before {}, {}.", to_human_duration(seconds),
                             ctx.loop.start_known ? "training had begun" : "the GPUs first worked",
                             share_of_job(ctx, finding->score));
  finding->next =
      fmt::format("Shorten these {}: download and prepare data in an earlier job or in "
                  "the background, and cache compiled kernels{}.",
                  to_human_duration(seconds),
                  ctx.ledger.of_gpus() ? "; ask for GPUs only when they are needed" : "");
  if (const auto host = host_use(ctx, Cause::start))
    finding->next +=
        fmt::format(" {:.1f} of {:.0f} cores worked meanwhile, so {}.", host->working, host->cores,
                    host->working < thresholds::kHostHalfIdle * host->cores
                        ? "it can be done side by side"
                        : "it is computing on the host that takes the time");
  finding->evidence.push_back({"time until the first step", seconds, "s"});
  finding->evidence.push_back({"share of the job", 100 * finding->score, "%"});
  return finding;
}

// Finalization takes a large share of the job.

std::optional<result::Finding> find_slow_finish(const DiagnosisContext& ctx) {
  auto finding = phase_finding(ctx, Cause::finish, result::FindingKind::slow_finish);
  if (!finding) return std::nullopt;
  const double seconds = phase_seconds(ctx, Cause::finish);
  finding->title = "The job takes long to end";
  finding->why = fmt::format("{} passed after {}, {}.", to_human_duration(seconds),
                             ctx.loop.end_known ? "the last step" : "the GPUs last worked",
                             share_of_job(ctx, finding->score));
  finding->next =
      fmt::format("Give the GPUs back before these {}: upload the model and evaluate in "
                  "a job without GPUs, or while the last steps run.",
                  to_human_duration(seconds));
  finding->evidence.push_back({"time after the last step", seconds, "s"});
  finding->evidence.push_back({"share of the job", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings

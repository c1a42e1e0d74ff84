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

std::optional<result::Finding> phase_finding(const DiagnosisContext& ctx,
                                             result::FindingKind kind) {
  if (phase_seconds(ctx, *spec_of(kind).cause) < thresholds::kMinPhase) return std::nullopt;
  return cost_finding(ctx, kind);
}

namespace {

/// How long a phase was, as the tile and the timeline have it; without steps, what of it was lost.
double length_of(const DiagnosisContext& ctx, Cause phase) {
  const result::JobPhases phases = job_phases(ctx.result.job);
  const auto& known = phase == Cause::start ? phases.initialization : phases.finalization;
  return known.value_or(phase_seconds(ctx, phase));
}

} // namespace

// Initialization takes a large share of the job.

std::optional<result::Finding> find_slow_start(const DiagnosisContext& ctx) {
  auto finding = phase_finding(ctx, result::FindingKind::slow_start);
  if (!finding) return std::nullopt;
  const double seconds = length_of(ctx, Cause::start);
  finding->title = "The job is slow to start";
  finding->why =
      fmt::format("{} passed before {}, {}.", to_human_duration(seconds),
                  ctx.loop.start_known ? "training had begun" : lower_gpus(ctx) + " first worked",
                  share_of_job(ctx, finding->score));
  if (const auto host = host_use(ctx, Cause::start)) {
    const bool has_room = host->working < thresholds::kHostHalfIdle * host->cores;
    finding->why += fmt::format(" {}{:.1f} of {:.0f} CPU cores were busy then, so {}.",
                                has_room ? "Only " : "", host->working, host->cores,
                                has_room ? "there is room to do it in parallel"
                                         : "the CPU is what takes the time");
  }
  finding->actions = {fmt::format("Shorten these {}: download and prepare data in an earlier job "
                                  "or in the background, and cache compiled kernels.",
                                  to_human_duration(seconds))};
  if (ctx.ledger.of_gpus())
    finding->actions.emplace_back("Ask for GPUs only once they are needed.");
  finding->evidence.push_back({"time until the first step", seconds, "s"});
  finding->evidence.push_back({"share of the job", 100 * finding->score, "%"});
  return finding;
}

// Finalization takes a large share of the job.

std::optional<result::Finding> find_slow_finish(const DiagnosisContext& ctx) {
  auto finding = phase_finding(ctx, result::FindingKind::slow_finish);
  if (!finding) return std::nullopt;
  const double seconds = length_of(ctx, Cause::finish);
  finding->title = "The job is slow to end";
  finding->why =
      fmt::format("{} passed after {}, {}.", to_human_duration(seconds),
                  ctx.loop.end_known ? "the last step" : lower_gpus(ctx) + " last worked",
                  share_of_job(ctx, finding->score));
  finding->actions = {
      fmt::format("Release the GPUs first: the last {} (model upload, evaluation) can run in a "
                  "CPU-only job, or while the last steps run.",
                  to_human_duration(seconds))};
  finding->evidence.push_back({"time after the last step", seconds, "s"});
  finding->evidence.push_back({"share of the job", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings

// A large share of the loop lies outside steps, and it is not data loading.
#include "findings/detectors/detectors.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_between_steps(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::between_steps);
  if (!finding) return std::nullopt;
  const auto host = host_use(ctx, Cause::between);
  finding->title = "Time is lost between steps";
  finding->why =
      fmt::format("{} {}, with no data loading in it.", share_of_job(ctx, finding->score),
                  ctx.events_known() ? "is spent between steps"
                                     : "is spent in pauses of all GPUs within the training loop");
  if (const auto* steps = training_steps(ctx.result); steps && ctx.events_known())
    finding->why += fmt::format(" A step takes {} (median of {}).", to_human_duration(steps->p50),
                                words::counted(steps->count, "step"));
  if (host)
    finding->why +=
        fmt::format(" Meanwhile {:.1f} of {:.0f} CPU cores were busy.", host->working, host->cores);
  finding->actions.push_back(fmt::format(
      "Find what takes the {} between steps: .item() calls, logging, callbacks, checkpoints.",
      to_human_duration(ctx.ledger.lost(Cause::between) / static_cast<double>(std::max<std::size_t>(
                                                              ctx.ledger.accounts.size(), 1)))));
  finding->actions.emplace_back("Move it off the loop, or run it every n-th step.");
  if (!ctx.events_known() && !ctx.result.job.recorder)
    finding->actions.emplace_back("Record steps with torch.profiler to see where the time goes.");
  finding->evidence.push_back({"time between steps", 100 * finding->score, "%"});
  if (host) finding->evidence.push_back({"cores busy during waits", host->working, ""});
  return finding;
}

} // namespace debrief::findings

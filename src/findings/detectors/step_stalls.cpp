// A few outlying steps take a large share of the loop: checkpoints, logging, garbage collection.
#include "findings/detectors/detectors.h"
#include "findings/interruptions.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_step_stalls(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::step_stalls);
  if (!finding) return std::nullopt;
  // Of the events, not of the samples: those may hide the edges of a stall.
  std::vector<TimeSpan> stalls;
  for (const ProcessTime& process : ctx.processes)
    if (!process.profiled) stalls.insert(stalls.end(), process.stall.begin(), process.stall.end());
  if (stalls.empty()) stalls = ctx.ledger.windows[index_of(Cause::stall)];
  stalls = merged(std::move(stalls));
  set_windows(stalls, *finding);
  finding->title = fmt::format("{} stall the training loop",
                               stalls.size() > thresholds::kFewStalls ? "Steps" : "A few steps");
  finding->why = fmt::format("{} took {}", words::counted(std::ssize(stalls), "stall"),
                             share_of_job(ctx, finding->score));
  const Interruptions all = interruptions(stalls);
  if (!stalls.empty()) {
    finding->why += fmt::format("; the longest lasted {}", to_human_duration(all.longest));
    finding->evidence.push_back({"longest stall", all.longest, "s"});
  }
  if (const auto* steps = training_steps(ctx.result); steps && ctx.events_known()) {
    finding->why += fmt::format(", where a step takes {} (median)", to_human_duration(steps->p50));
    finding->evidence.push_back({"median step", steps->p50, "s"});
  }
  finding->why += ".";
  finding->actions = {
      all.period
          ? fmt::format("They come every {}. Look at what runs then (checkpoints, evaluation, "
                        "logging), and make it asynchronous or rarer.",
                        to_human_duration(*all.period))
          : "Look at what these steps do beyond training (checkpoints, logging, garbage "
            "collection), and make it asynchronous or rarer."};
  finding->evidence.push_back({"stalls", static_cast<double>(stalls.size()), ""});
  finding->evidence.push_back({"time lost in stalls", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings

// A large share of the loop lies outside steps, and it is not data loading.
#include "findings/detectors/detectors.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_between_steps(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, Cause::between, result::FindingKind::between_steps);
  if (!finding) return std::nullopt;
  const auto host = host_use(ctx, Cause::between);
  finding->title = "Time is lost between steps";
  finding->why = fmt::format("{} lies {}, and no data loading was seen in it.",
                             share_of_job(ctx, finding->score),
                             ctx.events_known() ? "in the training loop but outside of its steps"
                                                : "in pauses of all GPUs within the training loop");
  if (const auto* steps = training_steps(ctx.result); steps && ctx.events_known())
    finding->why +=
        fmt::format(" A step itself takes {} (median), and {} were recorded.",
                    to_human_duration(steps->p50), words::counted(steps->count, "step"));
  if (host)
    finding->why +=
        fmt::format(" {:.1f} of {:.0f} cores worked meanwhile.", host->working, host->cores);
  finding->next = fmt::format(
      "Look at the code between steps for the {}: metrics that read values back from the GPU "
      "(.item()), logging, learning-rate callbacks, checkpoints; move them off the loop or do them "
      "every n-th step.",
      to_human_duration(ctx.ledger.lost(Cause::between) /
                        static_cast<double>(std::max<std::size_t>(ctx.ledger.accounts.size(), 1))));
  if (!ctx.events_known())
    finding->next += " Record steps (torch.profiler, or SageMaker's step events) to see where.";
  finding->evidence.push_back({"time between steps", 100 * finding->score, "%"});
  if (host) finding->evidence.push_back({"cores at work meanwhile", host->working, ""});
  return finding;
}

} // namespace debrief::findings

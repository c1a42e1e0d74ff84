// The training loop stops while the script saves checkpoints.
#include "findings/detectors/detectors.h"
#include "findings/interruptions.h"
#include "findings/thresholds.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::findings {

namespace {

/// Times as rarely: what a person would try first, and what is assumed of the gain.
constexpr double kRarer = 10;

std::string save_rarely(const DiagnosisContext& ctx, std::size_t saves) {
  const result::StepRow* const steps = training_steps(ctx.result);
  const double between = steps == nullptr || saves == 0
                             ? 0
                             : static_cast<double>(steps->count) / static_cast<double>(saves);
  if (between < 2) return "Save less often.";
  const std::int64_t now = std::llround(between);
  return fmt::format("Save every {} steps instead of every {}.",
                     count_text(static_cast<std::int64_t>(kRarer) * now), count_text(now));
}

/// With a tenth of what saving takes now.
double gain_of_rarer_saves(const DiagnosisContext& ctx) {
  double in_loop = 0;
  double lost = 0;
  for (const Account& account : ctx.ledger.accounts) {
    in_loop += account.in_loop;
    lost += account.lost[index_of(Cause::save)];
  }
  const double left = in_loop - (1 - 1 / kRarer) * std::min(lost, in_loop);
  return left > 0 ? in_loop / left : 1;
}

} // namespace

std::optional<result::Finding> find_save_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::save_bound);
  if (!finding) return std::nullopt;
  const Interruptions saves = interruptions(ctx, &ProcessTime::saving);
  set_windows(saves.spans, *finding);
  finding->title = saves.period ? fmt::format("Saving checkpoints stops training every {}",
                                              to_human_duration(*saves.period))
                                : "Saving checkpoints stops training";
  finding->why = interruption_words(ctx, saves, "checkpoint", finding->score);
  finding->actions = {save_rarely(ctx, saves.spans.size()),
                      "Or save in the background: torch.distributed.checkpoint.async_save copies "
                      "to CPU memory and writes while training goes on."};
  finding->gain = gain_of_rarer_saves(ctx);
  finding->evidence.push_back({"checkpoints", static_cast<double>(saves.spans.size()), ""});
  finding->evidence.push_back({"median checkpoint", saves.usual, "s"});
  finding->evidence.push_back({"longest checkpoint", saves.longest, "s"});
  finding->evidence.push_back({"time lost to saving", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings

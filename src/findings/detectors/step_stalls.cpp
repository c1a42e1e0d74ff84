// A few outlying steps take a large share of the loop: checkpoints, logging, garbage collection.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "util/median.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

/// The usual distance between stalls, where they come regularly; seconds.
std::optional<double> period_of(const std::vector<TimeSpan>& windows) {
  if (windows.size() < 4) return std::nullopt;
  std::vector<double> distances;
  for (std::size_t i = 1; i < windows.size(); ++i)
    distances.push_back(in_seconds(windows[i].first - windows[i - 1].first));
  std::sort(distances.begin(), distances.end());
  const double usual = median(distances);
  const double most = distances[distances.size() * 9 / 10];
  return most <= thresholds::kMaxPeriodSpread * usual ? std::optional{usual} : std::nullopt;
}

} // namespace

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
  if (!stalls.empty()) {
    const auto longest = std::max_element(stalls.begin(), stalls.end(),
                                          [](auto& a, auto& b) { return a.length() < b.length(); });
    finding->why +=
        fmt::format("; the longest lasted {}", to_human_duration(in_seconds(longest->length())));
    finding->evidence.push_back({"longest stall", in_seconds(longest->length()), "s"});
  }
  if (const auto* steps = training_steps(ctx.result); steps && ctx.events_known()) {
    finding->why += fmt::format(", where a step takes {} (median)", to_human_duration(steps->p50));
    finding->evidence.push_back({"median step", steps->p50, "s"});
  }
  finding->why += ".";
  const auto period = period_of(stalls);
  finding->actions = {
      period ? fmt::format("They come every {}. Look at what runs then (checkpoints, evaluation, "
                           "logging), and make it asynchronous or rarer.",
                           to_human_duration(*period))
             : "Look at what these steps do beyond training (checkpoints, logging, garbage "
               "collection), and make it asynchronous or rarer."};
  finding->evidence.push_back({"stalls", static_cast<double>(stalls.size()), ""});
  finding->evidence.push_back({"time lost in stalls", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings

#include "findings/interruptions.h"

#include "findings/thresholds.h"
#include "findings/words.h"
#include "util/median.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

std::optional<double> period_of(const std::vector<TimeSpan>& spans) {
  if (spans.size() < 4) return std::nullopt;
  std::vector<double> distances;
  for (std::size_t i = 1; i < spans.size(); ++i)
    distances.push_back(in_seconds(spans[i].first - spans[i - 1].first));
  std::sort(distances.begin(), distances.end());
  const double usual = median(distances);
  const double most = distances[distances.size() * 9 / 10];
  return most <= thresholds::kMaxPeriodSpread * usual ? std::optional{usual} : std::nullopt;
}

} // namespace

Interruptions interruptions(std::vector<TimeSpan> spans) {
  Interruptions out;
  std::vector<double> lengths;
  for (const TimeSpan& span : spans) {
    lengths.push_back(in_seconds(span.length()));
    out.seconds += lengths.back();
    out.longest = std::max(out.longest, lengths.back());
  }
  if (!lengths.empty()) out.usual = median(std::move(lengths));
  out.period = period_of(spans);
  out.spans = std::move(spans);
  return out;
}

Interruptions interruptions(const DiagnosisContext& ctx,
                            std::vector<TimeSpan> ProcessTime::*activity) {
  Interruptions most;
  for (const ProcessTime& process : ctx.processes) {
    if (process.profiled) continue;
    std::vector<TimeSpan> inside;
    for (const TimeSpan& span : process.*activity)
      if (ctx.loop.span.contains(span.first)) inside.push_back(span);
    if (Interruptions all = interruptions(std::move(inside)); all.seconds > most.seconds)
      most = std::move(all);
  }
  return most;
}

std::string interruption_words(const DiagnosisContext& ctx, const Interruptions& all,
                               const char* noun, double score) {
  const auto count = std::ssize(all.spans);
  std::string out =
      fmt::format("{} took {}: {}{}", words::counted(count, noun), share_of_job(ctx, score),
                  to_human_duration(all.usual), count > 1 ? " each (median)" : "");
  if (all.period) out += fmt::format(", one every {}", to_human_duration(*all.period));
  out += '.';
  if (const auto* steps = training_steps(ctx.result); steps && ctx.events_known())
    out += fmt::format(" A step takes {} (median).", to_human_duration(steps->p50));
  return out;
}

} // namespace debrief::findings

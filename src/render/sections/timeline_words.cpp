#include "render/sections/timeline_words.h"

#include "chart/reduce.h"
#include "render/parts/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace debrief::render {

namespace {

constexpr std::size_t kMaxNames = 6;

/// From the end of the initialization to the beginning of the finalization, where they are known.
TimeSpan loop_of(const result::Timeline& timeline) {
  TimeSpan loop = timeline.span;
  for (const result::Phase& phase : timeline.phases) {
    if (phase.name == "initialization") loop.first = std::max(loop.first, phase.span.last);
    if (phase.name == "finalization") loop.last = std::min(loop.last, phase.span.first);
  }
  return loop;
}

/// "11:09:15", with its date where that is not the first one's.
std::string clock(Microseconds time, Microseconds first) {
  const std::string text = to_readable_time(time);
  constexpr std::size_t kDate = 10;
  return text.substr(0, kDate) == to_readable_time(first).substr(0, kDate) ? text.substr(11, 8)
                                                                           : text;
}

/// The longest stretch of samples below kIdle without a gap; absent where no two are in a row.
std::optional<TimeSpan> longest_idle(const result::MetricTimeline& metric, const TimeSpan& loop) {
  const Microseconds gap = chart::gap_for(chart::usual_interval(metric.times));
  std::optional<TimeSpan> longest;
  std::optional<TimeSpan> now;
  for (std::size_t at = 0; at < metric.times.size(); ++at) {
    const Microseconds time = metric.times[at];
    if (!(metric.whole[at] < kIdle) || !loop.contains(time)) {
      now.reset();
      continue;
    }
    if (!now || time - now->last > gap) now = TimeSpan{time, time};
    now->last = time;
    if (now->length() > (longest ? longest->length() : 0)) longest = now;
  }
  return longest;
}

} // namespace

std::string span_sentence(const TimeSpan& span, const result::TimeAccounting& accounting) {
  std::string out = fmt::format("From {} on, {}", to_readable_time(span.first),
                                to_human_duration(in_seconds(span.length())));
  std::vector<std::string> parts;
  for (const result::TimePart& part : accounting.parts) {
    if (part.seconds <= 0) continue;
    if (parts.size() == kMaxNames) {
      parts.emplace_back("others");
      break;
    }
    parts.push_back(fmt::format("{} {}", brief(part.part), to_human_duration(part.seconds)));
  }
  return out + (parts.size() < 2 ? "." : ": " + listed(parts) + ".");
}

std::string idle_sentence(const result::Timeline& timeline) {
  const TimeSpan loop = loop_of(timeline);
  std::optional<TimeSpan> longest;
  std::string node;
  std::size_t nodes = 0;
  for (const result::NodeTimeline& candidate : timeline.nodes)
    for (const result::MetricTimeline& metric : candidate.metrics) {
      if (metric.metric != "GPU") continue;
      ++nodes;
      const auto idle = longest_idle(metric, loop);
      if (!idle || (longest && idle->length() <= longest->length())) continue;
      longest = idle;
      node = brief(candidate.node);
    }
  if (nodes == 0) return "";
  const bool begun = loop.first != timeline.span.first;
  const bool ended = loop.last != timeline.span.last;
  const std::string when = begun && ended ? "Between initialization and finalization, the"
                           : begun        ? "After initialization, the"
                           : ended        ? "Before finalization, the"
                                          : "The";
  if (!longest)
    return fmt::format("{} GPUs were never idle (below {} %) for two samples in a row.", when,
                       kIdle);
  return fmt::format("{} GPUs{} were idle (below {} %) longest from {} for {}.", when,
                     nodes > 1 ? " of " + node : "", kIdle,
                     clock(longest->first, timeline.span.first),
                     to_human_duration(in_seconds(longest->length())));
}

} // namespace debrief::render

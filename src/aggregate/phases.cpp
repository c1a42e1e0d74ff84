#include "aggregate/phases.h"

#include "aggregate/spans.h"

#include <algorithm>
#include <map>

namespace debrief::aggregate {

namespace {

struct ModeLess {
  bool operator()(const std::string& a, const std::string& b) const { return mode_less(a, b); }
};

using SpansByMode = std::map<std::string, std::vector<TimeSpan>, ModeLess>;

SpansByMode spans_by_mode(std::span<const StepSeries> steps) {
  SpansByMode modes;
  for (const StepSeries& series : steps)
    for (const Step& step : series.steps)
      if (step.clock_known) modes[series.mode].push_back(step.span);
  for (auto& [mode, spans] : modes)
    spans = merged(std::move(spans));
  return modes;
}

/// What of `spans` is not in `taken`; both are disjoint and sorted.
std::vector<TimeSpan> without(const std::vector<TimeSpan>& spans,
                              const std::vector<TimeSpan>& taken) {
  std::vector<TimeSpan> out;
  auto next = taken.begin();
  for (TimeSpan rest : spans) {
    while (next != taken.end() && next->last < rest.first)
      ++next;
    bool left = true;
    for (auto hole = next; left && hole != taken.end() && hole->first <= rest.last; ++hole) {
      if (hole->first > rest.first) out.push_back({rest.first, hole->first});
      left = hole->last < rest.last;
      rest.first = hole->last;
    }
    if (left) out.push_back(rest);
  }
  return out;
}

/// Each mode's stretches without those of the modes before it, by time; neighbors of one mode at
/// most `pause` apart are one.
std::vector<result::Phase> stretches(const SpansByMode& modes, Microseconds pause) {
  std::vector<result::Phase> pieces;
  std::vector<TimeSpan> taken;
  for (const auto& [mode, spans] : modes) {
    const std::vector<TimeSpan> free = without(spans, taken);
    for (const TimeSpan& span : free)
      pieces.push_back({mode, span});
    taken.insert(taken.end(), free.begin(), free.end());
    taken = merged(std::move(taken));
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) {
    return a.span.first != b.span.first ? a.span.first < b.span.first : a.span.last < b.span.last;
  });
  std::vector<result::Phase> out;
  for (result::Phase& piece : pieces) {
    if (!out.empty() && out.back().name == piece.name &&
        piece.span.first - out.back().span.last <= pause)
      out.back().span.include(piece.span.last);
    else
      out.push_back(std::move(piece));
  }
  return out;
}

} // namespace

std::vector<result::Phase> phases(const result::JobSummary& summary,
                                  std::span<const StepSeries> steps) {
  SpansByMode modes = spans_by_mode(steps);
  if (modes.empty()) {
    if (!summary.span || !summary.training_loop_start ||
        *summary.training_loop_start <= summary.span->first)
      return {};
    return {{"initialization", {summary.span->first, *summary.training_loop_start}}};
  }
  const bool only_profiled = modes.size() == 1 && modes.contains(kProfiledMode);
  TimeSpan loop = modes.begin()->second.front();
  for (const auto& [mode, spans] : modes) {
    loop.include(spans.front().first);
    loop.include(spans.back().last);
  }
  const auto longest = static_cast<Microseconds>(kMaxPause * static_cast<double>(loop.length()));
  Microseconds pause = std::max(kSecond, longest);
  std::vector<result::Phase> out = stretches(modes, pause);
  for (Microseconds bridge = 1000; out.size() > kMaxPhases; bridge *= 2) {
    for (auto& [mode, spans] : modes)
      spans = merged(std::move(spans), bridge);
    pause = std::max(pause, bridge);
    out = stretches(modes, pause);
  }
  if (only_profiled)
    loop = {std::min(summary.training_loop_start.value_or(INT64_MIN), loop.first), INT64_MAX};
  if (summary.span && summary.span->first < loop.first)
    out.insert(out.begin(), {"initialization", {summary.span->first, loop.first}});
  if (summary.span && summary.span->last > loop.last)
    out.push_back({"finalization", {loop.last, summary.span->last}});
  return out;
}

} // namespace debrief::aggregate

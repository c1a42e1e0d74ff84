#include "aggregate/timeline.h"

#include "util/interval_set.h"
#include "util/parallel.h"
#include "util/sample_times.h"

#include <algorithm>
#include <map>
#include <optional>

namespace debrief::aggregate {

namespace {

std::vector<result::StepTimeline> step_timelines(std::span<const StepSeries> all) {
  std::vector<result::StepTimeline> out(all.size());
  parallel_for(all.size(), [&](std::size_t i) {
    out[i] = {all[i].process, all[i].mode, {}};
    out[i].steps.reserve(all[i].steps.size());
    for (const Step& step : all[i].steps)
      if (step.clock_known) out[i].steps.push_back({step.span.first, step.span.length()});
  });
  std::erase_if(out, [](const result::StepTimeline& row) { return row.steps.empty(); });
  return out;
}

/// When traces were recorded; cycles of several processes that touch are one.
void add_profiled(const std::vector<job::Trace>& traces, std::vector<result::Phase>& phases) {
  std::vector<TimeSpan> spans;
  for (const job::Trace& trace : traces)
    if (const auto span = trace.span(); span && trace.clock_known)
      spans.push_back({to_microseconds(span->first), to_microseconds(span->second)});
  for (const TimeSpan& span : merged(std::move(spans)))
    phases.push_back({{result::PhaseKind::profiled}, span});
}

/// The job's, and whatever of the timeline lies outside it.
TimeSpan span_of(std::span<const NodeSeries> series, const result::Timeline& timeline,
                 std::optional<TimeSpan> span) {
  const auto include = [&](TimeSpan part) {
    if (!span) span = part;
    span->include(part.first);
    span->include(part.last);
  };
  for (const NodeSeries& node : series)
    for (const NodeMetricSeries& metric : node.metrics)
      include({metric.times.front(), metric.times.back()});
  for (const result::StepTimeline& row : timeline.steps)
    for (const result::StepMark& step : row.steps)
      include({step.start, step.start + step.duration});
  for (const result::Phase& phase : timeline.phases)
    include(phase.span);
  return span.value_or(TimeSpan{});
}

/// Absent if no two idle samples are in a row.
std::optional<TimeSpan> longest_idle(const NodeMetricSeries& gpu, const TimeSpan& loop) {
  const Microseconds gap = max_interval(usual_interval(gpu.times));
  std::optional<TimeSpan> longest;
  std::optional<TimeSpan> now;
  for (std::size_t at = 0; at < gpu.times.size(); ++at) {
    const Microseconds time = gpu.times[at];
    if (gpu.combined[at] >= result::kIdleGpuPercent || !loop.contains(time)) {
      now.reset();
      continue;
    }
    if (!now || time - now->last > gap) now = TimeSpan{time, time};
    now->last = time;
    if (now->length() > (longest ? longest->length() : Microseconds{})) longest = now;
  }
  return longest;
}

std::optional<result::IdleStretch> longest_idle(std::span<const NodeSeries> series,
                                                const TimeSpan& loop) {
  std::optional<result::IdleStretch> longest;
  for (const NodeSeries& node : series) {
    const NodeMetricSeries* gpu = node.find(result::Metric::gpu);
    if (gpu == nullptr) continue;
    const auto idle = longest_idle(*gpu, loop);
    if (idle && (!longest || idle->length() > longest->span.length()))
      longest = result::IdleStretch{node.node, *idle};
  }
  return longest;
}

} // namespace

result::Timeline timeline(const job::Job& job, const result::JobSummary& summary,
                          std::span<const StepSeries> steps, std::span<const NodeSeries> series) {
  result::Timeline out;
  out.steps = step_timelines(steps);
  out.phases = phases(summary, steps);
  add_profiled(job.traces, out.phases);
  out.span = span_of(series, out, summary.span);
  out.longest_idle = longest_idle(series, loop_of(out));
  return out;
}

namespace {

struct ModeLess {
  bool operator()(const std::string& a, const std::string& b) const { return mode_less(a, b); }
};

using SpansByMode = std::map<std::string, std::vector<TimeSpan>, ModeLess>;

/// Pairs of lists are joined side by side until one is left, which is linear for each pair.
std::vector<TimeSpan> union_of(std::vector<std::vector<TimeSpan>> lists) {
  while (lists.size() > 1) {
    const std::size_t half = (lists.size() + 1) / 2;
    parallel_for(lists.size() - half, [&](std::size_t i) {
      std::vector<TimeSpan>& more = lists[half + i];
      lists[i].insert(lists[i].end(), more.begin(), more.end());
      lists[i] = merged(std::move(lists[i]));
    });
    lists.resize(half);
  }
  return std::move(lists.front());
}

SpansByMode spans_by_mode(std::span<const StepSeries> steps) {
  std::vector<std::vector<TimeSpan>> spans(steps.size());
  parallel_for(steps.size(), [&](std::size_t i) {
    spans[i].reserve(steps[i].steps.size());
    for (const Step& step : steps[i].steps)
      if (step.clock_known) spans[i].push_back(step.span);
    spans[i] = merged(std::move(spans[i]));
  });
  std::map<std::string, std::vector<std::vector<TimeSpan>>, ModeLess> lists;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!spans[i].empty()) lists[steps[i].mode].push_back(std::move(spans[i]));
  SpansByMode modes;
  for (auto& [mode, of_mode] : lists)
    modes[mode] = union_of(std::move(of_mode));
  return modes;
}

/// Each mode's stretches without those of the modes before it, by time; neighbors of one mode at
/// most `pause` apart are one.
std::vector<result::Phase> stretches(const SpansByMode& modes, Microseconds pause) {
  struct Piece {
    TimeSpan span;
    const std::string* mode; ///< the key of `modes`
  };

  std::vector<Piece> pieces;
  std::vector<TimeSpan> taken;
  for (const auto& [mode, spans] : modes) {
    const std::vector<TimeSpan> free = difference(spans, taken);
    for (const TimeSpan& span : free)
      pieces.push_back({span, &mode});
    taken = set_union(taken, free);
  }
  if (modes.size() > 1) // else they are in order
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return a.span.first != b.span.first ? a.span.first < b.span.first : a.span.last < b.span.last;
    });
  std::vector<result::Phase> out;
  const std::string* last = nullptr;
  for (const Piece& piece : pieces) {
    if (piece.mode == last && piece.span.first - out.back().span.last <= pause)
      out.back().span.include(piece.span.last);
    else
      out.push_back({{result::PhaseKind::steps, *piece.mode}, piece.span});
    last = piece.mode;
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
    return {
        {{result::PhaseKind::initialization}, {summary.span->first, *summary.training_loop_start}}};
  }
  const bool only_profiled =
      modes.size() == 1 && modes.contains(std::string{result::kProfiledMode});
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
    out.insert(out.begin(),
               {{result::PhaseKind::initialization}, {summary.span->first, loop.first}});
  if (summary.span && summary.span->last > loop.last)
    out.push_back({{result::PhaseKind::finalization}, {loop.last, summary.span->last}});
  return out;
}

result::TimeAccounting time_accounting(const result::JobSummary& summary,
                                       std::span<const StepSeries> steps) {
  using result::PhaseKind;
  result::TimeAccounting accounting;
  const auto& job = summary.span;
  if (!job) return accounting;
  accounting.total = in_seconds(job->length());
  const auto add = [&](const result::PhaseName& part, Microseconds length) {
    const double percent = job->length() > 0 ? 100 * in_seconds(length) / *accounting.total : 0;
    accounting.parts.push_back({part, in_seconds(length), percent});
  };

  // A mode's time is what it adds to the modes before it, so that no moment counts twice.
  const SpansByMode modes = spans_by_mode(steps);
  if (modes.empty()) {
    const Microseconds begin = summary.training_loop_start.value_or(job->first);
    if (begin > job->first) add({PhaseKind::initialization}, begin - job->first);
    add({PhaseKind::unattributed}, job->last - begin);
    return accounting;
  }
  std::vector<TimeSpan> covered;
  std::map<std::string, Microseconds, ModeLess> lengths;
  for (const auto& [mode, spans] : modes) {
    const Microseconds before = total_length(covered);
    covered.insert(covered.end(), spans.begin(), spans.end());
    covered = merged(std::move(covered));
    lengths[mode] = total_length(covered) - before;
  }
  const TimeSpan loop{covered.front().first, covered.back().last};
  if (modes.size() == 1 && modes.begin()->first == result::kProfiledMode) {
    const Microseconds begin =
        std::min(summary.training_loop_start.value_or(job->first), loop.first);
    if (begin > job->first) add({PhaseKind::initialization}, begin - job->first);
    const auto& [mode, length] = *lengths.begin();
    add({PhaseKind::steps, mode}, length);
    add({PhaseKind::unattributed}, job->last - begin - length);
    return accounting;
  }
  add({PhaseKind::initialization}, loop.first - job->first);
  for (const auto& [mode, length] : lengths)
    add({PhaseKind::steps, mode}, length);
  add({PhaseKind::between_steps}, loop.length() - total_length(covered));
  add({PhaseKind::finalization}, job->last - loop.last);
  return accounting;
}

} // namespace debrief::aggregate

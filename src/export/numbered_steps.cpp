#include "export/numbered_steps.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace debrief::exports {

namespace {

struct NumberedStep {
  Span span;
  std::int64_t number = 0;
};

/// Steps by who took them (a process, in a mode).
using StepLists = std::map<std::string, std::vector<NumberedStep>>;

StepLists profiled_steps(const std::vector<aggregate::TraceIndex>& traces, const JobClock& clock) {
  StepLists lists;
  for (const aggregate::TraceIndex& index : traces) {
    const Nanoseconds shift = clock.shift(index.trace);
    for (const aggregate::TraceStep& step : index.steps)
      if (step.number)
        lists[index.trace.process].push_back(
            {{step.start + shift, step.end + shift}, *step.number});
  }
  return lists;
}

StepLists recorded_steps(const job::EventTable& events, const JobClock& clock) {
  StepLists lists;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const auto step = events.step_of(row);
    if (!step || !events.phase_of(row).starts_with("Step:ModeKeys")) continue;
    const auto timeline = static_cast<std::size_t>(
        events.tracks[static_cast<std::size_t>(events.track[row])].timeline);
    if (events.timelines[timeline].kind == job::TimelineKind::pytorch_profiler) continue;
    const Nanoseconds start = to_nanoseconds(events.start[row]) + clock.shift_of_timeline(timeline);
    lists[fmt::format("{} {}", timeline, events.phase_of(row))].push_back(
        {{start, start + to_nanoseconds(events.duration[row])}, *step});
  }
  return lists;
}

/// Neighbors that are both wanted are one stretch, with what is between them.
std::vector<Span> spans_in(StepLists lists, std::pair<std::int64_t, std::int64_t> numbers) {
  std::vector<Span> found;
  for (auto& [who, steps] : lists) {
    std::sort(steps.begin(), steps.end(),
              [](const NumberedStep& a, const NumberedStep& b) { return a.span < b.span; });
    bool joined = false;
    for (const NumberedStep& step : steps) {
      const bool wanted = step.number >= numbers.first && step.number <= numbers.second;
      if (wanted && joined)
        found.back().second = std::max(found.back().second, step.span.second);
      else if (wanted)
        found.push_back(step.span);
      joined = wanted;
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Span> merged;
  for (const Span& span : found) {
    if (!merged.empty() && span.first <= merged.back().second)
      merged.back().second = std::max(merged.back().second, span.second);
    else
      merged.push_back(span);
  }
  return merged;
}

/// "profiled steps 22 to 25"; "" where there are none.
std::string words(const char* kind, const StepLists& lists) {
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (const auto& [who, steps] : lists)
    for (const NumberedStep& step : steps) {
      first = std::min(first, step.number);
      last = std::max(last, step.number);
    }
  return lists.empty() ? "" : fmt::format("{} steps {} to {}", kind, first, last);
}

} // namespace

std::vector<Span> spans_of_steps(std::pair<std::int64_t, std::int64_t> numbers, const job::Job& job,
                                 const std::vector<aggregate::TraceIndex>& traces,
                                 const JobClock& clock) {
  const StepLists profiled = profiled_steps(traces, clock);
  if (auto spans = spans_in(profiled, numbers); !spans.empty()) return spans;
  const StepLists recorded = recorded_steps(job.events, clock);
  if (auto spans = spans_in(recorded, numbers); !spans.empty()) return spans;
  std::string there = words("profiled", profiled);
  if (const std::string more = words("recorded", recorded); !more.empty())
    there += (there.empty() ? "" : " and ") + more;
  throw Error(fmt::format("--steps {}..{}: the job has no such steps; it has {}", numbers.first,
                          numbers.second, there.empty() ? "none with a number" : there));
}

} // namespace debrief::exports

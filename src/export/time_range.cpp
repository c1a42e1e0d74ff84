#include "export/time_range.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>

namespace debrief::exports {

namespace {

RangeRequest::Moment parse_moment(const char* option, std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool number = error == std::errc{} && end == text.data() + text.size();
  if (number && std::abs(seconds) < in_seconds(kEarliestTime))
    return {Nanoseconds{std::llround(seconds * 1e9)}, true};
  const auto time = parse_time(text);
  if (!time || !is_plausible(*time))
    throw Error(fmt::format("{} {}: is not a time; write seconds after the job's start (12.5), "
                            "2026-11-14T23:48:10Z or unix seconds",
                            option, printable(text)));
  return {to_nanoseconds(*time), false};
}

std::pair<std::int64_t, std::int64_t> parse_steps(std::string_view text) {
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    return whole && value >= 0 ? std::optional{value} : std::nullopt;
  };
  const std::size_t dots = text.find("..");
  const auto first = number(text.substr(0, dots));
  const auto last = dots == text.npos ? first : number(text.substr(dots + 2));
  if (!first || !last || *first > *last)
    throw Error(
        fmt::format("--steps {}: not a range of steps; write 22 or 22..24", printable(text)));
  return {*first, *last};
}

/// A moment as a user can give it back.
std::string moment_words(Nanoseconds time, const JobClock& clock) {
  const double seconds = in_seconds(time - clock.start());
  return is_plausible(to_microseconds(time))
             ? fmt::format("{} ({:.3f} s)", to_iso8601(to_microseconds(time)), seconds)
             : fmt::format("{:.3f} s", seconds);
}

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
            {{step.host_start + shift, std::max(step.end, step.host_end) + shift}, *step.number});
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

/// Neighbors that are both wanted are one stretch, with what is between them. Sorts the lists.
std::vector<Span> spans_in(StepLists& lists, std::pair<std::int64_t, std::int64_t> numbers) {
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

/// Of the profiled steps with these numbers (both included), else of the recorded ones: disjoint,
/// by time. Steps that follow each other in one process are one stretch. Throws Error where there
/// are none, with those that there are.
std::vector<Span> spans_of_steps(std::pair<std::int64_t, std::int64_t> numbers, const job::Job& job,
                                 const std::vector<aggregate::TraceIndex>& traces,
                                 const JobClock& clock) {
  StepLists profiled = profiled_steps(traces, clock);
  if (auto spans = spans_in(profiled, numbers); !spans.empty()) return spans;
  StepLists recorded = recorded_steps(job.events, clock);
  if (auto spans = spans_in(recorded, numbers); !spans.empty()) return spans;
  std::string there = words("profiled", profiled);
  if (const std::string more = words("recorded", recorded); !more.empty())
    there += (there.empty() ? "" : " and ") + more;
  throw Error(fmt::format("--steps {}..{}: the job has no such steps; it has {}", numbers.first,
                          numbers.second, there.empty() ? "none with a number" : there));
}

} // namespace

RangeRequest::RangeRequest(std::string_view from, std::string_view until, std::string_view steps) {
  if (!from.empty()) from_ = parse_moment("--from", from);
  if (!until.empty()) until_ = parse_moment("--until", until);
  if (steps.empty()) return;
  if (from_ || until_)
    throw Error("--steps: says the range already; leave out --from and --until, or --steps");
  steps_ = parse_steps(steps);
}

TimeRanges::TimeRanges(const RangeRequest& request, const job::Job& job,
                       const std::vector<aggregate::TraceIndex>& traces, const JobClock& clock) {
  if (request.steps_) {
    spans_ = spans_of_steps(*request.steps_, job, traces, clock);
    return;
  }
  const auto [first, last] = clock.extent();
  const auto at = [&](const std::optional<RangeRequest::Moment>& moment, Nanoseconds otherwise) {
    if (!moment) return otherwise;
    return moment->after_start ? clock.start() + moment->time : moment->time;
  };
  const Span span{at(request.from_, first),
                  at(request.until_, last + Nanoseconds{1})}; // the end is left out
  if (request.from_ && request.until_ && span.first >= span.second)
    throw Error("--until: is not after --from; swap them");
  if (span.first > last || span.second <= first)
    throw Error(fmt::format("{}: nothing was recorded then; the job has data from {} to {}",
                            span.first > last ? "--from" : "--until", moment_words(first, clock),
                            moment_words(last, clock)));
  spans_.push_back(span);
}

bool TimeRanges::overlaps(Nanoseconds start, Nanoseconds end) const {
  // The first span that ends after the start; what has no length counts where it stands.
  const auto found =
      std::upper_bound(spans_.begin(), spans_.end(), start,
                       [](Nanoseconds time, const Span& span) { return time < span.second; });
  return found != spans_.end() && (found->first < end || found->first <= start);
}

} // namespace debrief::exports

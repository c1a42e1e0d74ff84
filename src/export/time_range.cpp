#include "export/time_range.h"

#include "aggregate/job_summary.h"
#include "export/numbered_steps.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace debrief::exports {

namespace {

constexpr Nanoseconds kPerMicrosecond = 1000;

RangeRequest::Moment parse_moment(const char* option, std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool number = error == std::errc{} && end == text.data() + text.size();
  if (number && std::abs(seconds) < in_seconds(kEarliestTime))
    return {std::llround(seconds * 1e9), true};
  const auto time = parse_time(text);
  if (!time || !is_plausible(*time))
    throw Error(fmt::format("{} {}: is not a time; write seconds after the job's start (12.5), "
                            "2026-11-14T23:48:10Z or unix seconds",
                            option, printable(text)));
  return {*time * kPerMicrosecond, false};
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
        fmt::format("--steps {}: is no range of steps; write 22 or 22..24", printable(text)));
  return {*first, *last};
}

/// A moment as a user can give it back.
std::string moment_words(Nanoseconds time, const JobClock& clock) {
  const double seconds = static_cast<double>(time - clock.start()) / 1e9;
  return is_plausible(time / kPerMicrosecond)
             ? fmt::format("{} ({:.3f} s)", to_iso8601(time / kPerMicrosecond), seconds)
             : fmt::format("{:.3f} s", seconds);
}

} // namespace

JobClock::JobClock(const job::Job& job) {
  std::optional<std::pair<Nanoseconds, Nanoseconds>> known; // of traces that have a clock
  std::map<std::string, Nanoseconds> adrift;                // first moment of the others
  for (const job::Trace& trace : job.traces) {
    const auto span = trace.span();
    if (!span) continue;
    if (!trace.clock_known) {
      const auto [first, added] = adrift.try_emplace(trace.process, span->first);
      first->second = std::min(first->second, span->first);
    } else {
      known = known ? std::pair{std::min(known->first, span->first),
                                std::max(known->second, span->second)}
                    : *span;
    }
  }
  const auto summary = aggregate::job_summary(job);
  if (summary.span)
    start_ = summary.span->first * kPerMicrosecond;
  else if (known)
    start_ = known->first;
  extent_ = {start_, summary.span ? summary.span->last * kPerMicrosecond : start_};
  const auto include = [&](Nanoseconds first, Nanoseconds last) {
    extent_ = {std::min(extent_.first, first), std::max(extent_.second, last)};
  };
  for (const auto& [process, first] : adrift)
    traces_[process] = start_ - first;
  for (const job::Trace& trace : job.traces)
    if (const auto span = trace.span())
      include(span->first + shift(trace), span->second + shift(trace));

  const job::EventTable& events = job.events;
  std::vector<Microseconds> firsts(events.timelines.size(), INT64_MAX);
  const auto timeline_of = [&](std::size_t row) {
    return static_cast<std::size_t>(
        events.tracks[static_cast<std::size_t>(events.track[row])].timeline);
  };
  for (std::size_t row = 0; row < events.size(); ++row)
    firsts[timeline_of(row)] = std::min(firsts[timeline_of(row)], events.start[row]);
  for (std::size_t i = 0; i < firsts.size(); ++i)
    timelines_.push_back(events.timelines[i].clock_known || firsts[i] == INT64_MAX
                             ? 0
                             : start_ - firsts[i] * kPerMicrosecond);
  for (std::size_t row = 0; row < events.size(); ++row) {
    const Nanoseconds first = events.start[row] * kPerMicrosecond + timelines_[timeline_of(row)];
    include(first, first + events.duration[row] * kPerMicrosecond);
  }
}

Nanoseconds JobClock::shift(const job::Trace& trace) const {
  if (trace.clock_known) return 0;
  const auto found = traces_.find(trace.process);
  return found == traces_.end() ? 0 : found->second;
}

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
  const Span span{at(request.from_, first), at(request.until_, last + 1)}; // the end is left out
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

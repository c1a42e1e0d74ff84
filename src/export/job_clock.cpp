#include "export/job_clock.h"

#include "aggregate/job_summary.h"

#include <algorithm>
#include <optional>

namespace debrief::exports {

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
    start_ = to_nanoseconds(summary.span->first);
  else if (known)
    start_ = known->first;
  extent_ = {start_, summary.span ? to_nanoseconds(summary.span->last) : start_};
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
                             ? Nanoseconds{}
                             : start_ - to_nanoseconds(firsts[i]));
  for (std::size_t row = 0; row < events.size(); ++row) {
    const Nanoseconds first = to_nanoseconds(events.start[row]) + timelines_[timeline_of(row)];
    include(first, first + to_nanoseconds(events.duration[row]));
  }
}

Nanoseconds JobClock::shift(const job::Trace& trace) const {
  if (trace.clock_known) return {};
  const auto found = traces_.find(trace.process);
  return found == traces_.end() ? Nanoseconds{} : found->second;
}

} // namespace debrief::exports

#include "ingest/kineto/select.h"

#include "ingest/select_job.h"

#include <algorithm>

namespace debrief::ingest::kineto {

namespace {

/// Two recordings never agree in all of their times, which are in nanoseconds.
bool is_copy(const job::Trace& a, const job::Trace& b) {
  const auto differ = [](const auto& one, const auto& other) {
    return one && other && *one != *other;
  };
  return !differ(a.pid, b.pid) && !differ(a.rank, b.rank) && a.slices.size() == b.slices.size() &&
         a.memory.size() == b.memory.size() && a.counts == b.counts && a.span() == b.span();
}

Microseconds gap_between(const TimeSpan& a, const TimeSpan& b) {
  if (a.last < b.first) return b.first - a.last;
  return b.last < a.first ? a.first - b.last : 0;
}

} // namespace

void drop_copies(std::vector<job::Trace>& traces, job::ReadingReport& report) {
  std::vector<job::Trace> kept;
  kept.reserve(traces.size());
  for (job::Trace& trace : traces) {
    const auto first = std::find_if(kept.begin(), kept.end(),
                                    [&](const job::Trace& other) { return is_copy(trace, other); });
    if (first == kept.end())
      kept.push_back(std::move(trace));
    else
      report.ignored.push_back({trace.path, "holds the same as " + first->path});
  }
  traces = std::move(kept);
}

void drop_others(const TimeSpan& job, std::vector<job::Trace>& traces, job::ReadingReport& report) {
  std::erase_if(traces, [&](const job::Trace& trace) {
    const auto span = trace.span();
    if (!trace.clock_known || !span) return false;
    const TimeSpan recorded{to_microseconds(span->first), to_microseconds(span->second)};
    if (gap_between(recorded, job) <= kSilenceBetweenJobs) return false;
    report.ignored.push_back({trace.path, "recorded at another time than the job"});
    return true;
  });
}

} // namespace debrief::ingest::kineto

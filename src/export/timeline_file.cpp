#include "export/timeline_file.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::exports {

TimelineFile write_timeline(const job::Job& job, const RangeRequest& request,
                            const std::string& target) {
  std::vector<aggregate::TraceIndex> traces;
  traces.reserve(job.traces.size());
  for (const job::Trace& trace : job.traces)
    traces.emplace_back(trace);
  const JobClock clock{job};
  const TimeRanges ranges{request, job, traces, clock};
  // Nothing is before the origin: not every reader takes negative times.
  ChromeTrace out{target, clock.extent().first};
  write_metrics(job, ranges, out);
  write_events(job.events, clock, ranges, out);
  write_traces(traces, clock, ranges, out);
  if (out.events() == 0)
    throw Error(fmt::format("{}: has no metrics, timelines or traces{}; choose another job{}",
                            printable(job.input_name), request.empty() ? "" : " in that range",
                            request.empty() ? "" : " or range"));
  const std::uint64_t events = out.events();
  return {events, out.finish()};
}

} // namespace debrief::exports

#include "export/chrome_trace_file.h"

#include "export/lanes.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace debrief::exports {

namespace {

/// "CPUUtilization cpu0", "MemoryUsedPercent".
std::string counter_name(const job::MetricName& name) {
  if (name.dimension.empty() || name.name.empty()) {
    const std::string& known = name.name.empty() ? name.dimension : name.name;
    return known.empty() ? name.type : known;
  }
  return name.dimension + " " + name.name;
}

/// Each series from the last sample before a range to the first after it, so that a counter has a
/// value all along.
void write_metrics(const job::Job& job, const TimeRanges& ranges, ChromeTrace& out) {
  std::string node;
  std::int64_t process = 0;
  std::set<std::string> used; // of this node
  std::string args;
  for (const job::MetricSeries& series : job.metrics) { // by node
    if (process == 0 || series.node != node) {
      node = series.node;
      process = out.add_process(fmt::format("{} system metrics", node));
      used.clear();
    }
    std::string name = counter_name(series.recorded_as);
    if (!used.insert(name).second)
      used.insert(name = fmt::format("{} ({})", name, series.recorded_as.type));
    const std::string shown = json_text(name);
    const std::string key =
        json_text(series.unit == job::Unit::unknown ? "value" : job::to_string(series.unit));

    const auto times = series.time_span();
    const auto values = series.value_span();
    auto next = times.begin(); // what is before it was written
    for (const auto& [first, last] : ranges.spans()) {
      auto from = std::partition_point(next, times.end(), [first = first](Microseconds time) {
        return to_nanoseconds(time) < first;
      });
      if (from != next) --from;
      auto until = std::partition_point(from, times.end(), [last = last](Microseconds time) {
        return to_nanoseconds(time) < last;
      });
      if (until != times.end()) ++until;
      for (; from != until; ++from) {
        args.clear();
        fmt::format_to(std::back_inserter(args), "{}:{}", key,
                       values[static_cast<std::size_t>(from - times.begin())]);
        out.counter(process, shown, to_nanoseconds(*from), args);
      }
      next = until;
    }
  }
}

/// Writes the events of a table, track by track.
class EventWriter {
public:
  EventWriter(const job::EventTable& events, const JobClock& clock, const TimeRanges& ranges,
              ChromeTrace& out)
      : events_(events)
      , clock_(clock)
      , ranges_(ranges)
      , out_(out)
      , names_(events.names)
      , phases_(events.phases) {}

  void write() {
    std::vector<std::vector<std::size_t>> rows(events_.tracks.size());
    for (std::size_t row = 0; row < events_.size(); ++row) {
      const auto track = static_cast<std::size_t>(events_.track[row]);
      const auto timeline = static_cast<std::size_t>(events_.tracks[track].timeline);
      if (events_.timelines[timeline].kind == job::TimelineKind::pytorch_profiler) continue;
      if (ranges_.overlaps(start_of(row, timeline), start_of(row, timeline) + duration_of(row)))
        rows[track].push_back(row);
    }
    // Tracks of one timeline together, in its order.
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return events_.tracks[a].timeline < events_.tracks[b].timeline;
    });
    for (const std::size_t track : order)
      if (!rows[track].empty()) write_track(events_.tracks[track], std::move(rows[track]));
  }

private:
  Nanoseconds start_of(std::size_t row, std::size_t timeline) const {
    return to_nanoseconds(events_.start[row]) + clock_.shift_of_timeline(timeline);
  }

  Nanoseconds duration_of(std::size_t row) const { return to_nanoseconds(events_.duration[row]); }

  std::int64_t process_of(std::size_t timeline) {
    if (const auto found = processes_.find(timeline); found != processes_.end())
      return found->second;
    const job::Timeline& recording = events_.timelines[timeline];
    const std::string& who = recording.process.empty() ? recording.node : recording.process;
    const std::int64_t process = out_.add_process(fmt::format(
        "{}{}{} timeline{}", who, who.empty() ? "" : " ", job::to_string(recording.kind),
        recording.clock_known ? "" : " (its clock is not known)"));
    return processes_[timeline] = process;
  }

  void write_track(const job::Track& track, std::vector<std::size_t> rows) {
    const auto timeline = static_cast<std::size_t>(track.timeline);
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      const auto key = [&](std::size_t row) {
        return std::tuple{start_of(row, timeline), -duration_of(row), row};
      };
      return key(a) < key(b);
    });
    const std::int64_t process = process_of(timeline);
    const std::string name = track.thread ? fmt::format("thread {}", *track.thread)
                             : track.pid  ? fmt::format("process {}", *track.pid)
                                          : "events";
    Lanes lanes;
    std::vector<ChromeTrace::Place> places;
    for (const std::size_t row : rows) {
      const Nanoseconds start = start_of(row, timeline);
      const auto lane = static_cast<std::size_t>(lanes.place(start, start + duration_of(row)));
      if (lane == places.size())
        places.push_back(
            out_.add_thread(process, lane == 0 ? name : fmt::format("{} ({})", name, lane + 1)));
      out_.slice(places[lane], names_[events_.name[row]], phases_[events_.phase[row]], start,
                 duration_of(row), args_of(row));
    }
  }

  const std::string& args_of(std::size_t row) {
    args_.clear();
    const auto add = [&](const char* key, const auto& value) {
      fmt::format_to(std::back_inserter(args_), "{}\"{}\":{}", args_.empty() ? "" : ",", key,
                     value);
    };
    const auto at = static_cast<std::int64_t>(row);
    if (const auto step = events_.step_of(row)) add("step", *step);
    const auto found = std::lower_bound(
        events_.details.begin(), events_.details.end(), at,
        [](const job::EventDetails& details, std::int64_t wanted) { return details.row < wanted; });
    if (found == events_.details.end() || found->row != at) return args_;
    if (found->bytes) add("bytes", *found->bytes);
    if (found->num_workers) add("num_workers", *found->num_workers);
    if (found->worker_id) add("worker_id", *found->worker_id);
    if (found->pin_memory) add("pin_memory", *found->pin_memory);
    return args_;
  }

  const job::EventTable& events_;
  const JobClock& clock_;
  const TimeRanges& ranges_;
  ChromeTrace& out_;
  QuotedNames names_;
  QuotedNames phases_;
  std::map<std::size_t, std::int64_t> processes_; ///< by timeline
  std::string args_;
};

} // namespace

ChromeTraceFile write_chrome_trace(const job::Job& job, const RangeRequest& request,
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
  EventWriter{job.events, clock, ranges, out}.write();
  write_traces(traces, clock, ranges, out);
  if (out.events() == 0)
    throw Error(fmt::format("{}: has no metrics, timelines or traces{}; choose another job{}",
                            printable(job.input_name), request.empty() ? "" : " in that range",
                            request.empty() ? "" : " or range"));
  const std::uint64_t events = out.events();
  return {events, out.finish()};
}

} // namespace debrief::exports

#include "export/lanes.h"
#include "export/timeline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace debrief::exports {

namespace {

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

void write_events(const job::EventTable& events, const JobClock& clock, const TimeRanges& ranges,
                  ChromeTrace& out) {
  EventWriter{events, clock, ranges, out}.write();
}

} // namespace debrief::exports

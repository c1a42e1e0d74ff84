#include "ingest/timeline_reader.h"

#include "ingest/timeline_name.h"
#include "ingest/trace_event.h"
#include "ingest/trace_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace debrief::ingest {

namespace {

/// Nothing in a timeline lasts longer than the file that holds it, but a file with a single long
/// event has no extent: hence at least a day.
constexpr Microseconds kMaxEventBytes = 24 * kHour;

/// Gives meaning to the events of one file, one after the other.
class TimelineBuilder {
public:
  TimelineBuilder(const InputFile& file, FileReading& reading, job::SourceCounts& counts)
      : file_(file)
      , events_(reading.events)
      , report_(reading.report)
      , counts_(counts)
      , timeline_(timeline_of_path(file.path)) {
    if (timeline_.kind == job::TimelineKind::tensorflow_profiler) {
      if (const auto origin = find_trace_origin(file.path, file.all_paths)) {
        timeline_ = timeline_of_node_id(origin->node_id);
        timeline_.kind = job::TimelineKind::tensorflow_profiler;
        base_ = origin->start;
      }
    }
  }

  void take(const TraceEvent& event, std::uint64_t offset) {
    if (event.empty) return; // TensorFlow ends its array with {}
    ++counts_.records;
    if (event.ph == "M")
      take_metadata(event);
    else if (event.ph == "X")
      take_whole(event, offset);
    else if (event.ph == "B")
      take_begin(event, offset);
    else if (event.ph == "E")
      take_end(event, offset);
    // Instants and counters ("i", "C") are marks, not intervals: counted as read, not kept.
  }

  void finish() {
    for (const auto& [line, stack] : open_)
      if (!stack.empty())
        job::ReadingReport::count(report_.skipped, "event has a begin and no end",
                                  job::at_byte(file_.path, stack.back().offset), stack.size());
    treat_absurd_durations();
    counts_.events += events_.size();
  }

private:
  /// A "B" that waits for its "E".
  struct Begin {
    job::EventTableBuilder::Event event;
    job::EventDetails details;
    double ts = 0;
    std::uint64_t offset = 0;
  };

  void take_metadata(const TraceEvent& event) {
    if (event.name != "process_name") return;
    if (event.epoch_start) base_ = is_plausible(*event.epoch_start) ? *event.epoch_start : 0;
    if (!event.args_name.empty() && event.pid)
      phases_[*event.pid] = events_.phases.intern(event.args_name);
  }

  void take_whole(const TraceEvent& event, std::uint64_t offset) {
    if (!event.dur) return skip("event has no duration", offset);
    if (*event.dur < 0) return skip("event has a negative duration", offset);
    auto built = build(event, offset);
    if (!built) return;
    built->duration = to_microseconds(*event.dur);
    add(*built, details_of(event));
  }

  void take_begin(const TraceEvent& event, std::uint64_t offset) {
    const auto built = build(event, offset);
    if (built) open_[line_of(event)].push_back({*built, details_of(event), *event.ts, offset});
  }

  void take_end(const TraceEvent& event, std::uint64_t offset) {
    auto& stack = open_[line_of(event)];
    if (stack.empty()) return skip("event has an end and no begin", offset);
    Begin begin = stack.back();
    stack.pop_back();
    if (!event.ts) return skip("event has no time", offset);
    if (*event.ts < begin.ts) return skip("event ends before it begins", offset);
    begin.event.duration = to_microseconds(*event.ts - begin.ts);
    add(begin.event, begin.details);
  }

  /// All but the duration; nothing (and counted) where the event has no usable time.
  std::optional<job::EventTableBuilder::Event> build(const TraceEvent& event,
                                                     std::uint64_t offset) {
    if (!event.ts || !std::isfinite(*event.ts) || std::abs(*event.ts) > 9e15) {
      skip("event has no time", offset);
      return std::nullopt;
    }
    job::EventTableBuilder::Event built;
    built.start = base_ + to_microseconds(*event.ts);
    const bool clock_known = is_plausible(built.start);
    if (!clock_known && base_ != 0) {
      skip("event's time is not of this century", offset);
      return std::nullopt;
    }
    built.name = events_.names.intern(event.name);
    built.phase = phase_of(event);
    built.track = track_of(event, clock_known);
    built.step = event.step.value_or(job::kNoStep);
    return built;
  }

  job::StringTable::Id phase_of(const TraceEvent& event) {
    if (event.pid)
      if (const auto found = phases_.find(*event.pid); found != phases_.end()) return found->second;
    return events_.phases.intern("");
  }

  std::int32_t track_of(const TraceEvent& event, bool clock_known) {
    const auto thread = event.args_tid ? event.args_tid : event.tid;
    const auto key = std::make_tuple(event.args_pid, thread, clock_known);
    if (last_track_ && last_track_->first == key) return last_track_->second;
    job::Timeline timeline = timeline_;
    timeline.clock_known = clock_known;
    job::Track track;
    track.timeline = events_.timeline(timeline);
    track.pid = event.args_pid;
    track.thread = thread;
    last_track_ = {key, events_.track(track)};
    return last_track_->second;
  }

  static job::EventDetails details_of(const TraceEvent& event) {
    job::EventDetails details;
    details.bytes = event.bytes_fetched;
    details.num_workers = event.num_workers;
    details.worker_id = event.worker_id;
    details.pin_memory = event.pin_memory;
    return details;
  }

  void add(const job::EventTableBuilder::Event& event, const job::EventDetails& details) {
    events_.add(event);
    if (!details.empty()) events_.add_details(details);
  }

  /// Begins and ends match within one phase and thread.
  static std::pair<std::int64_t, std::int64_t> line_of(const TraceEvent& event) {
    return {event.pid.value_or(-1), event.tid.value_or(-1)};
  }

  /// Rotated Horovod files of 2020 hold durations of days. On ticks ("rank 4 is ready", named "4"),
  /// which are moments, the duration is set to 0; any other event with such a duration is dropped.
  void treat_absurd_durations() {
    Microseconds first = INT64_MAX;
    Microseconds last = INT64_MIN;
    events_.each([&](const job::EventTableBuilder::Event& event) {
      first = std::min(first, event.start);
      last = std::max(last, event.start);
    });
    if (first > last) return;
    const Microseconds longest = std::max(last - first, kMaxEventBytes);
    std::uint64_t repaired = 0;
    std::uint64_t dropped = 0;
    events_.filter([&](job::EventTableBuilder::Event& event) {
      if (event.duration <= longest) return true;
      if (!is_tick(event)) return ++dropped, false;
      event.duration = 0;
      ++repaired;
      return true;
    });
    const std::string where{file_.path};
    if (repaired > 0)
      job::ReadingReport::count(report_.repaired, "absurd duration of a tick set to 0", where,
                                repaired);
    if (dropped > 0)
      job::ReadingReport::count(report_.skipped, "event lasts longer than its file", where,
                                dropped);
  }

  bool is_tick(const job::EventTableBuilder::Event& event) const {
    const std::string_view name = events_.names[event.name];
    return timeline_.kind == job::TimelineKind::horovod && !name.empty() &&
           name.find_first_not_of("0123456789") == name.npos;
  }

  static Microseconds to_microseconds(double value) {
    return value < 9e18 ? std::llround(value) : INT64_MAX / 2;
  }

  void skip(const char* reason, std::uint64_t offset) {
    job::ReadingReport::count(report_.skipped, reason, job::at_byte(file_.path, offset));
  }

  const InputFile& file_;
  job::EventTableBuilder& events_;
  job::ReadingReport& report_;
  job::SourceCounts& counts_;
  job::Timeline timeline_;
  Microseconds base_ = 0; ///< 0: unknown origin
  std::map<std::int64_t, job::StringTable::Id> phases_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Begin>> open_;
  using TrackKey = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, bool>;
  std::optional<std::pair<TrackKey, std::int32_t>> last_track_;
};

std::string_view without_leading_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

bool is_in_place(std::string_view path) {
  return contains(path, "pevents/") && (contains(path, "timeline.json"));
}

} // namespace

bool is_pytorch_trace(const InputFile& file) {
  if (contains(file.name(), ".pt.trace.json")) return true;
  constexpr std::size_t kEnough = std::size_t{256} * 1024; // of the head, for its first events
  const std::string_view head = without_leading_space(file.head()).substr(0, kEnough);
  const auto has_one = [&](std::initializer_list<std::string_view> marks) {
    return std::any_of(marks.begin(), marks.end(),
                       [&](std::string_view mark) { return contains(head, mark); });
  };
  if (head.starts_with('{') &&
      has_one({"\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\"",
               "\"baseTimeNanoseconds\"", "\"Trace name\"", "\"traceName\""}))
    return true;
  // Categories that no other recorder has; a bare list of events shows nothing else.
  return (head.starts_with('{') || head.starts_with('[')) &&
         has_one({"\"cpu_op\"", "\"cuda_runtime\"", "\"cuda_driver\"", "\"gpu_memcpy\"",
                  "\"python_function\"", "\"cpu_instant_event\""});
}

bool TimelineReader::recognizes(const InputFile& file) const {
  const std::string_view head = without_leading_space(file.head());
  if (head.starts_with('['))
    return is_in_place(file.path) || (contains(head, "\"ph\"") && !is_pytorch_trace(file));
  if (head.starts_with('{') && contains(head, "\"traceEvents\"")) return !is_pytorch_trace(file);
  return is_in_place(file.path);
}

void TimelineReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  TimelineBuilder builder{file, reading, counts};
  TraceEventParser parser;
  TraceEvent event;
  TraceScanner scanner{file.bytes};
  scanner.run(
      [&](const TraceScanner::EventText& text) {
        if (!parser.parse(text, event)) return TraceScanner::Verdict::broken;
        builder.take(event, text.offset);
        return TraceScanner::Verdict::good;
      },
      [&](std::uint64_t offset) {
        ++counts.records;
        job::ReadingReport::count(reading.report.skipped, "event is not valid JSON",
                                  job::at_byte(file.path, offset));
      });
  builder.finish();
  if (scanner.cut_off())
    job::ReadingReport::count(reading.report.skipped, "file is cut off inside an event",
                              std::string{file.path});
  if (scanner.followed())
    job::ReadingReport::count(reading.report.damaged_files, "something follows the list of events",
                              std::string{file.path});
  if (!scanner.found_events())
    job::ReadingReport::count(reading.report.damaged_files, "no list of events in the file",
                              std::string{file.path});
}

} // namespace debrief::ingest

#include "ingest/timeline_reader.h"

#include "ingest/chrome_trace/events_list.h"
#include "ingest/kineto/reader.h"
#include "ingest/timeline_chunk.h"
#include "ingest/timeline_name.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

namespace debrief::ingest {

namespace {

/// Nothing in a timeline lasts longer than the file that holds it, but a file with a single long
/// event has no extent: hence at least a day.
constexpr Microseconds kMinLongest = 24 * kHour;

/// Joins the chunks of one file: knows the origin of times, the names of phases and the events that
/// have begun, from the file's start on.
class TimelineBuilder final : public chrome_trace::EventConsumer {
public:
  TimelineBuilder(const InputFile& file, FileReading& reading)
      : file_(file)
      , events_(reading.events)
      , report_(reading.report)
      , timeline_(timeline_of_path(file.path)) {
    if (timeline_.kind == job::TimelineKind::tensorflow_profiler) {
      if (const auto origin = find_trace_origin(file.path, file.all_paths)) {
        timeline_ = timeline_of_node_id(origin->node_id);
        timeline_.kind = job::TimelineKind::tensorflow_profiler;
        base_ = origin->start;
      }
    }
  }

  std::unique_ptr<chrome_trace::EventChunk> new_chunk() const override {
    return std::make_unique<TimelineChunk>(file_.path);
  }

  chrome_trace::ListEnd list_end() const override { return chrome_trace::ListEnd::first; }

  void absorb(const chrome_trace::EventChunk& own) override {
    const auto& chunk = static_cast<const TimelineChunk&>(own);
    Ids ids = ids_of(chunk);
    auto end = chunk.ends.begin();
    auto details = chunk.details.begin();
    for (std::size_t i = 0; i < chunk.events.size(); ++i) {
      for (; end != chunk.ends.end() && end->before == i; ++end)
        finish_event(*end);
      const bool has_details =
          details != chunk.details.end() && details->row == static_cast<std::int64_t>(i);
      if (Event event; translate(chunk.events[i], ids, event)) {
        add(event);
        if (has_details) events_.add_details(*details);
      }
      if (has_details) ++details;
    }
    for (; end != chunk.ends.end(); ++end)
      finish_event(*end);
    for (const auto& [line, stack] : chunk.open)
      for (const TimelineChunk::Begin& begin : stack) {
        Begin& open = open_[line].emplace_back();
        open = {std::nullopt, begin.details, begin.ts, begin.found.offset};
        if (Event event; translate(begin.found, ids, event)) open.event = event;
      }
    for (const auto& [pid, phase] : chunk.named_phases)
      phases_[pid] = ids.phases[static_cast<std::size_t>(phase)];
    base_ = ids.bases.back();
  }

  void finish() {
    for (const auto& [line, stack] : open_)
      if (!stack.empty())
        job::ReadingReport::count(report_.skipped, "event has a begin and no end",
                                  job::at_byte(file_.path, stack.back().offset), stack.size());
    treat_absurd_durations();
    drop_overflowing();
  }

private:
  using Event = job::EventTableBuilder::Event;

  /// A "B" that waits for its "E".
  struct Begin {
    std::optional<Event> event; ///< nothing if its time is no good, which is counted already
    job::EventDetails details;
    double ts = 0;
    std::uint64_t offset = 0;
  };

  /// What a chunk's numbers stand for.
  struct Ids {
    const TimelineChunk& chunk;
    std::vector<job::StringTable::Id> names;
    std::vector<job::StringTable::Id> phases;
    std::vector<Microseconds> bases; ///< 0: unknown origin
    /// With an unknown and with a known clock; -1: not met yet.
    std::vector<std::array<std::int32_t, 2>> tracks;
  };

  Ids ids_of(const TimelineChunk& chunk) {
    Ids ids{chunk, {}, {}, {base_}, {}};
    for (std::size_t id = 0; id < chunk.names.size(); ++id)
      ids.names.push_back(events_.names.intern(chunk.names[static_cast<job::StringTable::Id>(id)]));
    for (const TimelineChunk::Phase& phase : chunk.phases)
      ids.phases.push_back(id_of(phase));
    ids.bases.insert(ids.bases.end(), chunk.bases.begin(), chunk.bases.end());
    ids.tracks.resize(chunk.tracks.size(), {-1, -1});
    for (const TimelineChunk::Found& first : chunk.first_of_track)
      track_id(first, is_plausible(ids.bases[first.base] + first.event.start), ids);
    return ids;
  }

  job::StringTable::Id id_of(const TimelineChunk::Phase& phase) {
    if (phase.inherited_from)
      if (const auto known = phases_.find(*phase.inherited_from); known != phases_.end())
        return known->second;
    return events_.phases.intern(phase.name);
  }

  /// False (and counted) if the event's time is no good.
  bool translate(const TimelineChunk::Found& found, Ids& ids, Event& event) {
    event = found.event;
    const Microseconds base = ids.bases[found.base];
    event.start += base;
    const bool clock_known = is_plausible(event.start);
    if (!clock_known && base != 0) {
      skip("event's time is not of this century", found.offset);
      return false;
    }
    event.name = ids.names[static_cast<std::size_t>(event.name)];
    event.phase = ids.phases[static_cast<std::size_t>(event.phase)];
    event.track = track_id(found, clock_known, ids);
    return true;
  }

  /// Tracks are numbered as they first appear in the file.
  std::int32_t track_id(const TimelineChunk::Found& found, bool clock_known, Ids& ids) {
    const auto place = static_cast<std::size_t>(found.event.track);
    std::int32_t& id = ids.tracks[place][clock_known ? 1 : 0];
    if (id < 0) {
      const TimelineChunk::Track& track = ids.chunk.tracks[place];
      job::Timeline timeline = timeline_;
      timeline.clock_known = clock_known;
      id = events_.track({events_.timeline(timeline), track.pid, track.thread});
    }
    return id;
  }

  void finish_event(const TimelineChunk::End& end) {
    auto& stack = open_[end.line];
    if (stack.empty()) return skip("event has an end and no begin", end.offset);
    Begin begin = stack.back();
    stack.pop_back();
    if (!begin.event) return;
    if (!end.ts) return skip("event has no time", end.offset);
    if (*end.ts < begin.ts) return skip("event ends before it begins", end.offset);
    begin.event->duration = to_microseconds(*end.ts - begin.ts);
    add(*begin.event);
    if (!begin.details.empty()) events_.add_details(begin.details);
  }

  void add(const Event& event) {
    first_ = std::min(first_, event.start);
    last_ = std::max(last_, event.start);
    longest_ = std::max(longest_, event.duration);
    together_ += static_cast<double>(event.duration);
    events_.add(event);
  }

  /// Rotated Horovod files of 2020 hold durations of days. On ticks ("rank 4 is ready", named "4"),
  /// which are moments, the duration is set to 0; any other event with such a duration is dropped.
  void treat_absurd_durations() {
    if (first_ > last_) return;
    const Microseconds most = std::max(last_ - first_, kMinLongest);
    if (longest_ <= most) return;
    std::uint64_t repaired = 0;
    std::uint64_t dropped = 0;
    events_.filter([&](Event& event) {
      if (event.duration <= most) return true;
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

  /// Sums of events' times must not overflow: a file has at most a century of them, if many are
  /// side by side.
  void drop_overflowing() {
    Microseconds left = Microseconds{1} << 52U;
    if (together_ <= static_cast<double>(left)) return;
    std::uint64_t dropped = 0;
    events_.filter([&](Event& event) {
      if (event.duration > left) return ++dropped, false;
      left -= event.duration;
      return true;
    });
    if (dropped > 0)
      job::ReadingReport::count(report_.skipped, "event time overflows", std::string{file_.path},
                                dropped);
  }

  bool is_tick(const Event& event) const {
    const std::string_view name = events_.names[event.name];
    return timeline_.kind == job::TimelineKind::horovod && !name.empty() &&
           name.find_first_not_of("0123456789") == name.npos;
  }

  void skip(const char* reason, std::uint64_t offset) {
    job::ReadingReport::count(report_.skipped, reason, job::at_byte(file_.path, offset));
  }

  const InputFile& file_;
  job::EventTableBuilder& events_;
  job::ReadingReport& report_;
  job::Timeline timeline_;
  Microseconds base_ = 0; ///< 0: unknown origin
  std::map<std::int64_t, job::StringTable::Id> phases_;
  std::map<TimelineChunk::Line, std::vector<Begin>> open_;
  Microseconds first_ = INT64_MAX; ///< start of all events
  Microseconds last_ = INT64_MIN;
  Microseconds longest_ = 0; ///< duration of all events
  double together_ = 0;      ///< microseconds
};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

bool is_in_place(std::string_view path) {
  return has(path, "pevents/") && has(path, "timeline.json");
}

} // namespace

bool TimelineReader::recognizes(const InputFile& file) const {
  const std::string_view head = file.text_head();
  if (head.starts_with('['))
    return is_in_place(file.path) || (has(head, "\"ph\"") && !is_pytorch_trace(file));
  if (head.starts_with('{') && has(head, "\"traceEvents\"")) return !is_pytorch_trace(file);
  return is_in_place(file.path);
}

void TimelineReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  const auto damaged = [&](const char* how) {
    job::ReadingReport::count(reading.report.damaged_files, how, std::string{file.path});
  };
  const auto list = chrome_trace::enter_events_list(file.bytes);
  if (!list) return damaged("no list of events in the file");
  TimelineBuilder builder{file, reading};
  chrome_trace::BlockMerger merger{file.path, builder, reading.report};
  chrome_trace::EventsReader{file.bytes, options_, merger}.run();
  builder.finish();
  counts.records += merger.records();
  counts.events += reading.events.size();
  if (merger.unfinished() > 0)
    job::ReadingReport::count(reading.report.skipped, "file is cut off inside an event",
                              std::string{file.path});
  // A list may do without its ']', but who records for SageMaker writes it, and an object needs it.
  else if (!merger.events_ended() && (!list->alone || is_in_place(file.path)))
    damaged("timeline is cut off: its end is missing");
  const std::string_view rest = merger.rest(); // from the ']' on; empty if it is far too long
  if (list->alone && merger.events_ended() &&
      (rest.empty() || !std::all_of(rest.begin() + 1, rest.end(), chrome_trace::is_json_space)))
    damaged("something follows the list of events");
}

} // namespace debrief::ingest

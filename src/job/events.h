// What a job's framework recorded about itself: intervals with a name, such as steps, operators,
// data loading and collectives.
//
// Events are columns of equal length, in the order of the files they came from; names are
// interned. Who recorded an event (which process, thread and timeline) is a track, shared
// by its events.
#pragma once

#include "job/string_table.h"
#include "util/column.h"
#include "util/page_chunk.h"
#include "util/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::job {

/// Which recorder wrote a timeline.
enum class TimelineKind {
  python,
  model,
  horovod,
  smdataparallel,
  tensorflow_profiler,
  pytorch_profiler, ///< steps and data loading out of the job's traces
  other
};

std::string_view to_string(TimelineKind kind);

/// The recording of one process by one recorder.
struct Timeline {
  TimelineKind kind = TimelineKind::other;
  std::string node;    ///< "algo-1"; empty where the file does not say
  std::string process; ///< "algo-1-27", as SageMaker's rules call it; empty where not known
  std::optional<std::int64_t> rank; ///< the number in `process`: a rank or a process id
  bool clock_known = true; ///< false: times have an unknown origin, durations are still right

  auto operator<=>(const Timeline&) const = default;
};

/// The mode of a step, by the phase that recorders name: "TRAIN" of "Step:ModeKeys.TRAIN".
std::string_view mode_of(std::string_view phase);

/// A line of events: one thread of one process of a timeline. What was not recorded is absent.
struct Track {
  std::int32_t timeline = 0; ///< index into EventTable::timelines
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> thread;

  auto operator<=>(const Track&) const = default;
};

/// Arguments that only few events carry, kept apart so that the many do not pay for them.
struct EventDetails {
  std::int64_t row = 0;
  std::optional<std::int64_t> bytes;       ///< fetched by a data iterator
  std::optional<std::int64_t> num_workers; ///< of a data loader
  std::optional<std::int64_t> batch_size;  ///< of a data loader
  std::optional<std::int64_t> worker_id;
  std::optional<bool> pin_memory;

  bool empty() const { return !bytes && !num_workers && !batch_size && !worker_id && !pin_memory; }
};

/// The step of an event that belongs to none.
inline constexpr std::int64_t kNoStep = INT64_MIN;

/// The phase in which `debrief record` marks checkpoints.
inline constexpr std::string_view kCheckpointPhase = "Checkpoint";

/// Columns that stay as they are; see EventTableBuilder for making them.
struct EventTable {
  StringTable names;  ///< operator, function or collective
  StringTable phases; ///< "Step:ModeKeys.TRAIN", "cpu_functions", a tensor's name for Horovod
  std::vector<Timeline> timelines;
  std::vector<Track> tracks;

  /// Microseconds since the epoch (see Timeline::clock_known).
  Column<Microseconds> start;
  Column<Microseconds> duration; ///< never negative
  Column<StringTable::Id> name;  ///< in `names`
  Column<StringTable::Id> phase; ///< in `phases`
  Column<std::int32_t> track;    ///< index into `tracks`
  Column<std::int64_t> step;     ///< kNoStep for an event that belongs to no step

  std::vector<EventDetails> details; ///< sorted by row

  std::size_t size() const { return start.size(); }

  std::optional<std::int64_t> step_of(std::size_t row) const {
    return step[row] == kNoStep ? std::nullopt : std::optional{step[row]};
  }

  const Timeline& timeline_of(std::size_t row) const;
  std::string_view name_of(std::size_t row) const;
  std::string_view phase_of(std::size_t row) const;
};

/// Events while they are being read, with strings of their own. They lie in chunks, so that joining
/// files copies few, and each chunk is gone when its columns are made.
class EventTableBuilder {
public:
  struct Event {
    Microseconds start = 0;
    Microseconds duration = 0;
    StringTable::Id name = 0;
    StringTable::Id phase = 0;
    std::int32_t track = 0;
    std::int64_t step = kNoStep;
  };

  StringTable names;
  StringTable phases;

  std::int32_t timeline(const Timeline& timeline);
  std::int32_t track(const Track& track);

  void add(const Event& event) {
    if (chunks_.empty() || chunks_.back().room() == 0) chunks_.emplace_back();
    chunks_.back().add(event);
    ++size_;
  }

  /// Adds `details` to the event added last.
  void add_details(EventDetails details);

  std::size_t size() const { return size_; }

  /// Calls `visit(event)` for each of them, in order.
  template <typename Visit>
  void each(const Visit& visit) const {
    for (std::size_t part = 0; part < parts(); ++part)
      each_of(part, visit);
  }

  /// The parts that they lie in, each of which each_of() goes over: for several threads at once.
  std::size_t parts() const { return chunks_.size(); }

  template <typename Visit>
  void each_of(std::size_t part, const Visit& visit) const {
    for (const Event& event : chunks_[part].values())
      visit(event);
  }

  /// Whether `test(event)` holds for one of them at least.
  template <typename Test>
  bool any(const Test& test) const {
    for (const Chunk& chunk : chunks_)
      for (const Event& event : chunk.values())
        if (test(event)) return true;
    return false;
  }

  std::span<const Timeline> timelines() const { return timelines_; }

  const Timeline& timeline_of(const Event& event) const;

  /// By track: whether its times have a known origin.
  std::vector<bool> clocks_known() const;

  /// Drops the events for which `keep(event)` is false; it may change those that it keeps.
  template <typename Keep>
  void filter(const Keep& keep) {
    std::int64_t row = -1;
    std::int64_t kept = 0;
    std::size_t detail = 0;
    std::size_t kept_details = 0;
    for (Chunk& chunk : chunks_) {
      const std::span<Event> events = chunk.values();
      std::size_t stay = 0;
      for (Event& event : events) {
        ++row;
        const bool keeps = keep(event);
        for (; detail < details_.size() && details_[detail].row == row; ++detail) {
          if (!keeps) continue;
          details_[kept_details] = details_[detail];
          details_[kept_details++].row = kept;
        }
        if (!keeps) continue;
        events[stay++] = event;
        ++kept;
      }
      chunk.shrink(stay);
    }
    size_ = static_cast<std::size_t>(kept);
    details_.resize(kept_details);
  }

  /// Appends all of `others` in their order, whose ids are translated to this table's, and empties
  /// them.
  void absorb(std::span<EventTableBuilder> others);

  EventTable finish() &&;

private:
  using Chunk = PageChunk<Event>;

  /// What another table's ids are in this one.
  struct Translation {
    std::vector<StringTable::Id> names;
    std::vector<StringTable::Id> phases;
    std::vector<std::int32_t> tracks;
  };

  Translation translation_of(const EventTableBuilder& other);
  void translate(const Translation& to);
  void append(Chunk&& chunk);

  std::vector<Chunk> chunks_;
  std::size_t size_ = 0; ///< of all chunks together
  std::vector<EventDetails> details_;
  std::vector<Timeline> timelines_;
  std::vector<Track> tracks_;
  std::map<Timeline, std::int32_t> timeline_ids_;
  std::map<Track, std::int32_t> track_ids_;
};

} // namespace debrief::job

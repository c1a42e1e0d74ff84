// What a run of a framework timeline's events holds, before it is known what came before it in the
// file: the origin of times, the names of phases and the begins of events are those of the whole
// file (timeline_reader.cpp joins chunks). Everything that a chunk can tell by itself is done here.
#pragma once

#include "ingest/chrome_trace/event_chunk.h"
#include "ingest/timeline_event.h"
#include "ingest/timeline_shape.h"
#include "job/events.h"

#include <cmath>
#include <cstdint>
#include <forward_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace debrief::ingest {

class TimelineChunk final : public chrome_trace::EventChunk {
public:
  explicit TimelineChunk(std::string_view path);
  ~TimelineChunk() override;

  bool parse(chrome_trace::TokenCursor& cursor) override;
  void take(std::uint64_t offset) override;
  bool restart() override;

  bool knows_the_like() const override { return true; }

  void remember(const chrome_trace::TokenCursor& start) override;
  const char* take_alike(const char* text, const char* end, std::uint64_t offset) override;

  /// Begins and ends match within one phase and thread.
  using Line = std::pair<std::int64_t, std::int64_t>;

  /// An event whose numbers are this chunk's: `start` counts from `base`, `name` is an id in
  /// `names`, `phase` an index into `phases`, `track` one into `tracks`.
  struct Found {
    job::EventTableBuilder::Event event;
    std::uint32_t base = 0;   ///< index into `bases`
    std::uint64_t offset = 0; ///< in the file
  };

  /// A "B" that waits for its "E".
  struct Begin {
    Found found;
    job::EventDetails details;
    double ts = 0;
  };

  /// An "E" whose "B" is in an earlier chunk, if anywhere.
  struct End {
    std::size_t before = 0; ///< how many of `events` come before it
    Line line;
    std::optional<double> ts;
    std::uint64_t offset = 0;
  };

  /// The name of a phase: one of this chunk's texts, or the one that a pid had before the chunk.
  struct Phase {
    std::optional<std::int64_t> inherited_from; ///< pid
    std::string name;
  };

  /// Who recorded an event, but for the recording.
  struct Track {
    std::optional<std::int64_t> pid;
    std::optional<std::int64_t> thread;

    auto operator<=>(const Track&) const = default;
  };

  job::StringTable names;
  std::vector<Found> events;              ///< in the order of their ends
  std::vector<job::EventDetails> details; ///< rows are those of `events`
  std::vector<End> ends;
  std::map<Line, std::vector<Begin>> open; ///< at the chunk's end
  std::vector<Phase> phases;
  std::map<std::int64_t, std::int32_t> named_phases; ///< by pid, at the chunk's end
  /// Origins of times that the chunk has, the first of them index 1; 0 is the one before the chunk.
  std::vector<Microseconds> bases;
  std::vector<Track> tracks;
  std::vector<Found> first_of_track; ///< by the index of the track

private:
  void take_metadata();
  void take_whole(std::uint64_t offset);
  void take_begin(std::uint64_t offset);
  void take_end(std::uint64_t offset);
  bool build(Found& found, std::uint64_t offset);
  job::StringTable::Id name();
  std::int32_t phase();
  std::int32_t track();
  Line line() const;
  void add_details(const job::EventDetails& details);
  const char* read_alike(const char* text, const char* end);

  TimelineEvent parsed_;                  ///< token by token, the last one
  const TimelineEvent* event_ = &parsed_; ///< that was read last: `parsed_`, or a shape's
  std::forward_list<std::string> unescaped_;
  std::map<std::optional<std::int64_t>, std::int32_t> phase_of_pid_;
  std::map<Track, std::int32_t> track_ids_;
  std::vector<job::StringTable::Id> following_; ///< by name: the one that came next last time
  job::StringTable::Id last_name_ = 0;
  std::optional<std::int64_t> last_pid_; ///< whose phase `last_phase_` is
  std::int32_t last_phase_ = -1;         ///< -1: of none yet
  std::size_t last_track_ = 0;

  /// How events of this file are written, at places that stay: a shape refers to itself. They
  /// outlive restart().
  std::vector<std::unique_ptr<TimelineShape>> shapes_;
  std::size_t last_shape_ = 0;
  std::size_t remembered_ = 0; ///< shapes, those that were given up again with them
};

/// A time as whole microseconds, as far as they reach.
inline Microseconds to_microseconds(double value) {
  if (!(value < 9e18)) return INT64_MAX / 2;
  const auto whole = static_cast<Microseconds>(value);
  return static_cast<double>(whole) == value ? whole : std::llround(value);
}

} // namespace debrief::ingest

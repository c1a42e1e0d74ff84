// What a run of a trace's events holds, with names and tables of its own: parts are made on several
// threads at once and joined afterwards, in the order of the file (builder.h).
#pragma once

#include "ingest/kineto/event.h"
#include "job/reading_report.h"
#include "job/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::ingest::kineto {

/// A track before its name is known.
struct TrackKey {
  bool gpu = false;
  std::int64_t process = 0;
  std::int64_t id = 0;

  auto operator<=>(const TrackKey&) const = default;
};

/// Values in the order of first sight, each once; known by their place.
template <typename Value>
class Distinct {
public:
  std::int32_t place_of(const Value& value) {
    if (last_ >= 0 && value == values_[static_cast<std::size_t>(last_)]) return last_;
    const auto [found, added] =
        places_.try_emplace(value, static_cast<std::int32_t>(values_.size()));
    if (added) values_.push_back(value);
    last_ = found->second;
    return last_;
  }

  const std::vector<Value>& values() const { return values_; }

  std::vector<Value>&& take() && { return std::move(values_); }

private:
  std::vector<Value> values_;
  std::map<Value, std::int32_t> places_;
  std::int32_t last_ = -1;
};

/// How often each phase and category was met: "X kernel". Few.
class EventCounts {
public:
  void add(std::string_view phase, std::string_view category);
  void absorb(const EventCounts& other);

  const std::vector<std::pair<std::string, std::uint64_t>>& all() const { return counts_; }

private:
  std::uint64_t* find(std::string_view phase, std::string_view category);

  std::vector<std::pair<std::string, std::uint64_t>> counts_;
};

class Part {
public:
  /// `path` is the file's, for the report.
  explicit Part(std::string_view path)
      : path_(path) {}

  /// `offset` is the event's place in the file.
  void take(const Event& event, std::uint64_t offset);

  /// An event that could not be read at all.
  void take_broken(std::uint64_t offset);

  void skip(const char* reason, std::uint64_t offset, std::uint64_t times = 1);
  void repair(const char* reason, std::uint64_t offset, std::uint64_t times = 1);

  job::StringTable names;
  Distinct<TrackKey> tracks;
  std::vector<job::Slice> slices; ///< in the order of the file; as in a Trace, but within this part
  Distinct<job::InputArgs> inputs;
  Distinct<job::LaunchArgs> launches;
  Distinct<job::CollectiveArgs> collectives;
  std::vector<job::CopyArgs> copies;
  std::vector<job::MemoryEvent> memory;
  std::vector<std::pair<TrackKey, std::string>> thread_names;
  EventCounts counts;
  std::uint64_t records = 0; ///< events, good and bad
  job::Troubles skipped;
  job::Troubles repaired;

private:
  void take_slice(const Event& event, job::SliceKind kind, std::uint64_t offset);
  void take_memory(const Event& event, std::uint64_t offset);
  void take_name(const Event& event);
  job::StringTable::Id id_of(std::string_view text);
  job::StringTable::Id id_of_array(std::string_view text);
  std::int32_t details_of(const Event& event, job::SliceKind kind);
  std::int32_t collective_of(const Event& event);

  std::string path_;
};

} // namespace debrief::ingest::kineto

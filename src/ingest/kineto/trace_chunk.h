// What a run of a PyTorch trace's events holds, with names and tables of its own; builder.h joins
// chunks.
#pragma once

#include "ingest/chrome_trace/event_chunk.h"
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

/// Values in the order of first sight, each once; known by small numbers.
template <typename Value>
class Interner {
public:
  std::int32_t id_of(const Value& value) {
    if (last_ >= 0 && value == values_[static_cast<std::size_t>(last_)]) return last_;
    const auto [found, added] = ids_.try_emplace(value, static_cast<std::int32_t>(values_.size()));
    if (added) values_.push_back(value);
    last_ = found->second;
    return last_;
  }

  const std::vector<Value>& values() const { return values_; }

  std::vector<Value>&& take() && { return std::move(values_); }

private:
  std::vector<Value> values_;
  std::map<Value, std::int32_t> ids_;
  std::int32_t last_ = -1;
};

/// How often each phase and category was met: "X kernel". Recorders have some twenty; what is
/// beyond kMaxCategories is counted together.
class EventCounts {
public:
  static constexpr std::size_t kMaxCategories = 64;

  void add(std::string_view phase, std::string_view category);
  void absorb(const EventCounts& other);

  const std::vector<std::pair<std::string, std::uint64_t>>& all() const { return counts_; }

private:
  std::uint64_t* find(std::string_view phase, std::string_view category);
  void add_new(std::string key, std::uint64_t count);

  std::vector<std::pair<std::string, std::uint64_t>>
      counts_; ///< never more than kMaxCategories + 1
};

class TraceChunk final : public chrome_trace::EventChunk {
public:
  using EventChunk::EventChunk;

  bool parse(chrome_trace::TokenCursor& cursor) override { return parser_.parse(cursor, event_); }

  void take(std::uint64_t offset) override;

  job::StringTable names;
  Interner<TrackKey> tracks;
  std::vector<job::Slice>
      slices; ///< in the order of the file; as in a Trace, but within this chunk
  Interner<job::InputArgs> inputs;
  Interner<job::LaunchArgs> launches;
  Interner<job::CollectiveArgs> collectives;
  std::vector<job::CopyArgs> copies;
  std::vector<job::WaitArgs> waits;
  std::vector<job::MemoryEvent> memory;
  std::vector<std::pair<TrackKey, std::string>> thread_names;
  EventCounts counts;

private:
  void take_slice(job::SliceKind kind, std::uint64_t offset);
  void lose_impossible(std::uint64_t offset);
  void take_memory(std::uint64_t offset);
  void take_name();
  job::StringTable::Id id_of(std::string_view text);
  job::StringTable::Id id_of_array(std::string_view text);
  std::int32_t details_of(job::SliceKind kind);
  std::int32_t collective();

  EventParser parser_;
  Event event_; ///< that was parsed last
};

} // namespace debrief::ingest::kineto

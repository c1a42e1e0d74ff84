// Gives meaning to the events of a PyTorch trace, one after the other, and makes a Trace of them.
#pragma once

#include "ingest/kineto/event.h"
#include "job/reading_report.h"
#include "job/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace debrief::kineto {

class TraceBuilder {
public:
  /// `path` is the file's, for the report; troubles are counted in `report`.
  TraceBuilder(std::string_view path, ReadingReport& report);

  /// `offset` is the event's place in the file.
  void take(const Event& event, std::uint64_t offset);

  /// Times are `base` later than the events say; 0 where the file does not say.
  Trace finish(Trace header, Nanoseconds base) &&;

private:
  using TrackKey = std::pair<std::int64_t, std::int64_t>;

  void take_slice(const Event& event, SliceKind kind, std::uint64_t offset);
  void take_memory(const Event& event, std::uint64_t offset);
  void take_name(const Event& event);
  std::int32_t track_of(const Event& event, bool gpu);
  std::int32_t details_of(const Event& event, SliceKind kind);
  std::int32_t collective_of(const Event& event);
  void count(const Event& event);
  void skip(const char* reason, std::uint64_t offset);
  void drop_repeated();
  void shift(Nanoseconds base);

  std::string path_;
  ReadingReport& report_;
  Trace trace_;
  std::map<std::pair<bool, TrackKey>, std::int32_t> tracks_;
  std::pair<bool, TrackKey> last_key_{};
  std::int32_t last_track_ = -1;
  std::map<TrackKey, std::string> thread_names_;
  std::map<InputArgs, std::int32_t> inputs_;
  std::map<LaunchArgs, std::int32_t> launches_;
  std::map<CollectiveArgs, std::int32_t> collectives_;
  std::vector<std::pair<std::string, std::uint64_t>> counts_; ///< "ph cat"; few
};

/// The kind of slice that a category names; nothing for what is not kept.
std::optional<SliceKind> kind_of(std::string_view category, std::string_view name);

} // namespace debrief::kineto

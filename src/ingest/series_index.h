// Finds the series that a sample belongs to, without allocating and mostly without hashing.
//
// A recorder writes its series in the same order again and again, so the series that followed last
// time is compared first; only when that fails is the name looked up.
#pragma once

#include "ingest/reader.h"
#include "util/seeded_hash.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace debrief::ingest {

class SeriesIndex {
public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// The names in one line of system metrics.
  struct Key {
    std::string_view node;
    std::string_view type;
    std::string_view name;
    std::string_view dimension;
  };

  /// A series' place in `parts()`, which is extended where the series is new.
  std::size_t find(const Key& key);

  /// The series that came next when the current one was last met; kNone where there was none.
  std::size_t expected_next() const { return last_ == kNone ? kNone : followers_[last_]; }

  /// Makes `index`, which was expected next, the current one: the same as to find it by its names.
  void follow(std::size_t index) { last_ = index; }

  SeriesPart& part(std::size_t index) { return parts_[index]; }

  job::Unit unit(std::size_t index) const { return units_[index]; }

  std::vector<SeriesPart> take() && { return std::move(parts_); }

private:
  std::size_t look_up(const Key& key);

  std::vector<SeriesPart> parts_;
  std::vector<job::Unit> units_;
  std::vector<std::size_t> followers_; ///< which series came after this one last time
  std::size_t last_ = kNone;
  std::unordered_map<std::string, std::size_t, SeededHash> by_key_;
  std::string scratch_;
};

} // namespace debrief::ingest

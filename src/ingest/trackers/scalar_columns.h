// The scalars of one run while a file is read: finds a name's columns without allocating per value.
#pragma once

#include "job/scalars.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest::trackers {

class ScalarColumns {
public:
  /// A run logs a few hundred; a script that makes up names has no bound.
  static constexpr std::size_t kMaxNames = 2000;

  /// Null where there are too many names already.
  job::ScalarSeries* find(std::string_view name) {
    const auto index = find_index(name);
    return index ? &series_[*index] : nullptr;
  }

  /// A name's place, for at(); nothing where there are too many names already. Scripts log their
  /// names in the same order again and again: the one that followed last time is compared first.
  std::optional<std::size_t> find_index(std::string_view name) {
    const std::size_t guess = last_ < followers_.size() ? followers_[last_] : series_.size();
    if (guess < series_.size() && series_[guess].name == name) return last_ = guess;
    auto known = index_.find(name);
    if (known == index_.end()) {
      if (series_.size() == kMaxNames) return std::nullopt;
      known = index_.emplace(name, series_.size()).first;
      series_.emplace_back().name = name;
      followers_.push_back(series_.size());
    }
    if (last_ < followers_.size()) followers_[last_] = known->second;
    return last_ = known->second;
  }

  job::ScalarSeries& at(std::size_t index) { return series_[index]; }

  std::vector<job::ScalarSeries> take() { return std::move(series_); }

private:
  std::vector<job::ScalarSeries> series_;
  std::vector<std::size_t> followers_; ///< which name came after this one last time
  std::size_t last_ = static_cast<std::size_t>(-1);
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// "value of a scalar beyond the first 2000": why a value is skipped where find() gives null.
inline const std::string kTooManyScalars =
    "value of a scalar beyond the first " + std::to_string(ScalarColumns::kMaxNames);

inline constexpr const char* kNoStep = "logged value with a step that is no count";

/// The folder that a file lies in, relative to the job's; empty at the top.
inline std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string{slash == path.npos ? std::string_view{} : path.substr(0, slash)};
}

} // namespace debrief::ingest::trackers

// The scalars of one run while a file is read: finds a name's columns without allocating per value.
#pragma once

#include "job/scalars.h"

#include <cstddef>
#include <functional>
#include <map>
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
    if (const auto known = index_.find(name); known != index_.end()) return &series_[known->second];
    if (series_.size() == kMaxNames) return nullptr;
    index_.emplace(name, series_.size());
    job::ScalarSeries& added = series_.emplace_back();
    added.name = name;
    return &added;
  }

  std::vector<job::ScalarSeries> take() { return std::move(series_); }

private:
  std::vector<job::ScalarSeries> series_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// "value of a scalar beyond the first 2000": why a value is skipped where find() gives null.
inline const std::string kTooManyScalars =
    "value of a scalar beyond the first " + std::to_string(ScalarColumns::kMaxNames);

/// The folder that a file lies in, relative to the job's; empty at the top.
inline std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string{slash == path.npos ? std::string_view{} : path.substr(0, slash)};
}

} // namespace debrief::ingest::trackers

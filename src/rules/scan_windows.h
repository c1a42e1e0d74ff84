// The windows in which SageMaker's rules look at a job: whole scan intervals (a minute) from the
// full minute in which the job's first sample lies. Every sample belongs to exactly one window; the
// last one may be partial.
#pragma once

#include "job/job.h"

#include <algorithm>
#include <optional>
#include <span>

namespace debrief::rules {

class ScanWindows {
public:
  ScanWindows(Microseconds first_sample, Microseconds interval)
      : begin_(first_sample / kMinute * kMinute)
      , interval_(interval) {}

  /// Which window a moment lies in, from 0.
  std::int64_t index(Microseconds time) const { return (time - begin_) / interval_; }

  Microseconds start(std::int64_t index) const { return begin_ + index * interval_; }

  /// Calls `look(window, seen)` at the end of every window that has samples; `seen` is the number
  /// of samples until then. `times` is sorted.
  template <typename Look>
  void for_each(std::span<const Microseconds> times, const Look& look) const {
    for (std::size_t seen = 0; seen < times.size();) {
      const std::int64_t window = index(times[seen]);
      const Microseconds end = start(window + 1);
      seen = static_cast<std::size_t>(
          std::lower_bound(times.begin() + static_cast<std::ptrdiff_t>(seen), times.end(), end) -
          times.begin());
      look(window, seen);
    }
  }

private:
  Microseconds begin_;
  Microseconds interval_;
};

/// The windows of a job's samples; nothing where it has none.
inline std::optional<ScanWindows> scan_windows(const job::Job& job, Microseconds interval) {
  std::optional<Microseconds> first;
  for (const job::MetricSeries& series : job.metrics)
    first = std::min(first.value_or(series.time_span().front()), series.time_span().front());
  if (!first) return std::nullopt;
  return ScanWindows{*first, interval};
}

} // namespace debrief::rules

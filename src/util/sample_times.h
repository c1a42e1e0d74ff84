// When something was sampled: how often, and where samples are missing.
//
// Charts, data quality, rules and findings all go by this, so that what one of them reports as a
// gap no other takes for measured. A recorder under load is late by a few intervals now and then;
// its sample still stands for the time since the one before. Five intervals are more than that, and
// so is a second, however often is sampled.
#pragma once

#include "util/time.h"

#include <cstddef>
#include <span>

namespace debrief {

/// An interval is a gap if it is longer than this many usual ones, and than kMinGap.
inline constexpr Microseconds kGapFactor = 5;
inline constexpr Microseconds kMinGap = kSecond;

/// The median of the intervals between rising times; 0 for fewer than two.
Microseconds usual_interval(std::span<const Microseconds> times);

/// The longest time between two samples that is not a gap.
Microseconds max_interval(Microseconds usual_interval);

/// The time that each sample stands for. After a gap, or before one, it is the usual interval.
class SampleIntervals {
public:
  /// `times` are rising, and outlive this.
  explicit SampleIntervals(std::span<const Microseconds> times);

  /// Since the sample before. The first stands for nothing, since recording begins with it.
  TimeSpan before(std::size_t sample) const;

  /// Until the next sample. The last stands for nothing.
  TimeSpan after(std::size_t sample) const;

  Microseconds usual() const { return usual_; }

private:
  /// Of two samples next to each other.
  Microseconds measured(Microseconds interval) const;

  std::span<const Microseconds> times_;
  Microseconds usual_;
};

} // namespace debrief

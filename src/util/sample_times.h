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
#include <vector>

namespace debrief {

/// An interval is a gap if it is longer than this many usual ones, and than kMinGap.
inline constexpr Microseconds kGapFactor = 5;
inline constexpr Microseconds kMinGap = kSecond;

/// The median of the intervals between rising times; 0 for fewer than two.
Microseconds usual_interval(std::span<const Microseconds> times);

/// The longest time between two samples that is not a gap.
Microseconds max_interval(Microseconds usual_interval);

/// Devices are sampled together but their times may differ by a little: samples within this of the
/// first belong to one moment. SageMaker's rules use the same 20 ms.
inline constexpr Microseconds kSameMoment = 20'000;

/// Tells the moments of several devices' samples, which come by time. A device has one sample in
/// each at most.
class MomentCounter {
public:
  explicit MomentCounter(std::size_t devices)
      : last_(devices) {}

  /// The number of the sample's moment, from 1 on.
  std::size_t take(Microseconds time, std::size_t device) {
    if (count_ == 0 || time - begin_ > kSameMoment || last_[device] == count_) {
      ++count_;
      begin_ = time;
    }
    last_[device] = count_;
    return count_;
  }

  std::size_t count() const { return count_; }

private:
  std::vector<std::size_t> last_; ///< by device: the moment that had it last
  std::size_t count_ = 0;
  Microseconds begin_ = 0; ///< of the current moment
};

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

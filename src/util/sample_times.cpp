#include "util/sample_times.h"

#include "util/median.h"

#include <algorithm>
#include <vector>

namespace debrief {

Microseconds usual_interval(std::span<const Microseconds> times) {
  if (times.size() < 2) return Microseconds{};
  std::vector<Microseconds> intervals;
  intervals.reserve(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    intervals.push_back(times[i] - times[i - 1]);
  return median(std::move(intervals));
}

Microseconds max_interval(Microseconds usual_interval) {
  return std::max(kGapFactor * usual_interval, kMinGap);
}

SampleIntervals::SampleIntervals(std::span<const Microseconds> times)
    : times_(times)
    , usual_(usual_interval(times)) {}

Microseconds SampleIntervals::measured(Microseconds interval) const {
  return interval > max_interval(usual_) ? usual_ : interval;
}

TimeSpan SampleIntervals::before(std::size_t sample) const {
  const Microseconds time = times_[sample];
  return {sample == 0 ? time : time - measured(time - times_[sample - 1]), time};
}

TimeSpan SampleIntervals::after(std::size_t sample) const {
  const Microseconds time = times_[sample];
  return {time, sample + 1 == times_.size() ? time : time + measured(times_[sample + 1] - time)};
}

} // namespace debrief

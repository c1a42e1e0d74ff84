// When the condition of a custom rule was true of one series: for how long without a break, or in
// which windows.
#pragma once

#include "custom_rules/condition.h"
#include "util/time.h"

#include <cstdint>
#include <span>
#include <vector>

namespace debrief::custom_rules {

struct TrueIntervals {
  std::vector<TimeSpan> spans; ///< by time, none overlaps another
  std::int64_t looked = 0;     ///< samples, or windows, that were compared
  std::int64_t violations = 0; ///< those of them of which the condition was true
  Microseconds longest = 0;    ///< time that was recorded without a gap
};

/// `times` rise and have as many entries as `values`, which are finite. `bound` is in their unit. A
/// gap in the samples (util/sample_times.h) is a break: nothing is known of it.
TrueIntervals true_intervals(std::span<const Microseconds> times, std::span<const double> values,
                             const Condition& condition, double bound);

} // namespace debrief::custom_rules

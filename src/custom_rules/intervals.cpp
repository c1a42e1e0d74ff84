#include "custom_rules/intervals.h"

#include "custom_rules/sliding_window.h"
#include "util/sample_times.h"

#include <algorithm>

namespace debrief::custom_rules {

namespace {

/// Samples from `first` up to `last`, without a gap between them.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  Microseconds begin = 0; ///< of the time that the first one stands for
};

std::vector<Stretch> stretches_of(std::span<const Microseconds> times) {
  std::vector<Stretch> out;
  const SampleIntervals intervals{times};
  const Microseconds longest = max_interval(intervals.usual());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i == 0 || times[i] - times[i - 1] > longest)
      out.push_back({i, i, intervals.before(i).first});
    out.back().last = i;
  }
  return out;
}

/// One sample after the other: where the condition is true of all of them for `duration`.
void look_at_samples(const Stretch& stretch, std::span<const Microseconds> times,
                     std::span<const double> values, const Condition& condition, double bound,
                     TrueIntervals& out) {
  std::size_t in_row = 0;
  Microseconds begin = 0;
  const auto end_row = [&](std::size_t last) {
    if (in_row > 0 && times[last] - begin >= condition.duration) {
      out.spans.push_back({begin, times[last]});
      out.violations += static_cast<std::int64_t>(in_row);
    }
    in_row = 0;
  };
  for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
    ++out.looked;
    if (!gate::holds(values[i], condition.op, bound)) {
      if (in_row > 0) end_row(i - 1);
      continue;
    }
    if (in_row++ == 0) begin = i == stretch.first ? stretch.begin : times[i - 1];
  }
  end_row(stretch.last);
}

/// Every window of `duration` that ends with a sample and that samples cover.
void look_at_windows(const Stretch& stretch, std::span<const Microseconds> times,
                     std::span<const double> values, const Condition& condition, double bound,
                     TrueIntervals& out) {
  SlidingWindow window{values.subspan(stretch.first), *condition.statistic, bound};
  std::size_t oldest = stretch.first;
  for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
    const Microseconds begin = times[i] - condition.duration;
    window.push();
    for (; times[oldest] <= begin; ++oldest)
      window.pop();
    if (stretch.begin > begin) continue;
    ++out.looked;
    if (!gate::holds(window.side(), condition.op, 0)) continue;
    ++out.violations;
    if (!out.spans.empty() && begin <= out.spans.back().last)
      out.spans.back().last = times[i];
    else
      out.spans.push_back({begin, times[i]});
  }
}

} // namespace

TrueIntervals true_intervals(std::span<const Microseconds> times, std::span<const double> values,
                             const Condition& condition, double bound) {
  TrueIntervals out;
  for (const Stretch& stretch : stretches_of(times)) {
    out.longest = std::max(out.longest, times[stretch.last] - stretch.begin);
    if (condition.statistic)
      look_at_windows(stretch, times, values, condition, bound, out);
    else
      look_at_samples(stretch, times, values, condition, bound, out);
  }
  return out;
}

} // namespace debrief::custom_rules

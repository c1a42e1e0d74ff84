// Looking up a node's metrics in the job's timeline.
#pragma once

#include "result/timeline.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace debrief::findings {

/// "CPU", "GPU", "I/O", …; null where the node has not recorded it.
const result::MetricTimeline* find_metric(const result::NodeTimeline& node,
                                          std::string_view metric);

/// The metric's values of "receive", "gpu0", …; null where it has no such device.
const std::vector<float>* find_device(const result::MetricTimeline& metric,
                                      std::string_view device);

/// Sum and number of some samples.
struct SampleSum {
  double sum = 0;
  double samples = 0;
};

/// Adds the metric's samples that tell of time in `windows`, which are disjoint and by time; a
/// sample at a window's first moment tells of the time before it. `scale` is what one point counts.
void add_within(const result::MetricTimeline& metric, std::span<const TimeSpan> windows,
                double scale, SampleSum& into);

/// The stretch that each sample stands for: from the one before it. A sample after a gap stands for
/// the usual interval only; the first stands for nothing, since the job begins with it.
class Intervals {
public:
  explicit Intervals(const std::vector<Microseconds>& times);

  TimeSpan of(std::size_t i) const;

  Microseconds usual() const { return usual_; }

private:
  const std::vector<Microseconds>& times_;
  Microseconds usual_ = 0; ///< median distance of samples
};

/// Walks along a metric's samples while time rises: the sample nearest to each moment.
class Nearest {
public:
  explicit Nearest(const result::MetricTimeline* metric)
      : metric_(metric) {}

  /// Index of the sample nearest to `time`, which is not before that of the last call; npos where
  /// none is within `reach`.
  std::size_t to(Microseconds time, Microseconds reach);

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

private:
  const result::MetricTimeline* metric_;
  std::size_t at_ = 0;
};

} // namespace debrief::findings

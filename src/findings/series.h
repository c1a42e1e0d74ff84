// Looking up a node's metrics in the job's timeline.
#pragma once

#include "aggregate/node_series.h"
#include "result/devices.h"
#include "util/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace debrief::findings {

/// Sum and number of some samples.
struct SampleSum {
  double sum = 0;
  double samples = 0;
};

/// Adds the metric's samples that tell of time in `windows`, which are disjoint and by time; a
/// sample at a window's first moment tells of the time before it. `scale` is what one point counts.
void add_within(const aggregate::NodeMetricSeries& metric, std::span<const TimeSpan> windows,
                double scale, SampleSum& into);

/// Walks along a metric's samples while time rises: the sample nearest to each moment.
class NearestSample {
public:
  explicit NearestSample(const aggregate::NodeMetricSeries* metric)
      : metric_(metric) {}

  /// Index of the sample nearest to `time`, which is not before that of the last call; kNone where
  /// none is within `reach`.
  std::size_t to(Microseconds time, Microseconds reach);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

private:
  const aggregate::NodeMetricSeries* metric_;
  std::size_t at_ = 0;
};

// How one GPU was used over the job, and within the training loop.

struct GpuUse {
  bool used = false; ///< it computed at more than hardly any sample
  double lost = 0;   ///< share of the loop in which it did not work, 0 to 1
};

/// Of each device of the metric "GPU" of a node.
std::vector<GpuUse> gpu_use(const aggregate::NodeMetricSeries& gpu, const TimeSpan& loop);

/// Whether kernels ran on a GPU most of the time and left most of it without work, so that its
/// utilization misleads.
bool is_hardly_filled(const result::SmActivityRow& gpu);

} // namespace debrief::findings

// How one GPU was used over the job, and within the training loop.
#pragma once

#include "result/timeline.h"
#include "util/time.h"

#include <vector>

namespace debrief::findings {

struct GpuUse {
  bool used = false; ///< it computed at more than hardly any sample
  double lost = 0;   ///< share of the loop in which it did not work, 0 to 1
};

/// Of each device of the metric "GPU" of a node.
std::vector<GpuUse> gpu_use(const result::MetricTimeline& gpu, const TimeSpan& loop);

} // namespace debrief::findings

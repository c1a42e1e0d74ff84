// Moments at which a node was sampled: how many GPUs are nearly idle and how many cores are busy,
// at the same time. A moment is one node's; samples within kSameMoment of its first belong to it.
#pragma once

#include "aggregate/usage.h"

#include <cstdint>
#include <vector>

namespace debrief::aggregate {

struct BottleneckSample {
  Microseconds time = 0;
  std::int32_t low_gpus = 0;
  std::int32_t high_cores = 0;
  bool has_gpu = false; ///< a GPU was sampled
  bool has_core = false;

  bool is_bottleneck() const { return low_gpus > 0 && high_cores > 0; }
};

/// By time. A GPU is low below `gpu_below`; a core is high above `core_above` in `per_core`, which
/// is the node's CPU utilization or I/O wait.
std::vector<BottleneckSample>
bottleneck_samples(const NodeDevices& node, const std::vector<const job::MetricSeries*>& per_core,
                   double gpu_below, double core_above);

} // namespace debrief::aggregate

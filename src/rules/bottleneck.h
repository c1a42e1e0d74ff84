// What CPUBottleneck and IOBottleneck share: moments at which a GPU is nearly idle while a core of
// the same node is busy, or waits for I/O.
#pragma once

#include "aggregate/usage.h"
#include "rules/rule.h"

namespace debrief::rules {

struct BottleneckLimits {
  double share = 0;      ///< percent of the moments that must be bottlenecks
  double core_above = 0; ///< percent
  double gpu_below = 0;  ///< percent
  std::size_t patience = 0;
  Microseconds scan_interval = 0;
};

/// All moments, those at which a GPU is low, and of these the ones with a bottleneck, as parts that
/// sum to `all`, which is not 0.
std::vector<result::DatapointPart> bottleneck_parts(std::int64_t all, std::int64_t low,
                                                    std::int64_t bottlenecks);

/// `per_core` chooses the series of a node that tell whether a core is busy.
RuleOutcome
find_bottlenecks(const RuleInput& input, const BottleneckLimits& limits,
                 std::vector<const job::MetricSeries*> aggregate::NodeDevices::*per_core,
                 const char* what_of_cores);

} // namespace debrief::rules

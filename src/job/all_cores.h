// CPU utilization of a machine without its cores: trackers log one mean over all of them, and not
// how many there are. It is no core of a machine that has one core.
#pragma once

#include "job/metrics.h"

#include <string_view>

namespace debrief::job {

/// The name, and so the device, of such a series.
inline constexpr std::string_view kAllCores = "all cores";

/// Whether a series is of one core.
inline bool is_core(const MetricName& name) {
  return name.type == "cpu" && name.name != kAllCores;
}

} // namespace debrief::job

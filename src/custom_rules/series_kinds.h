// The series that a condition can name: what a machine measures, of each device or of each node.
#pragma once

#include "job/metrics.h"
#include "result/devices.h"

#include <optional>
#include <span>
#include <string_view>

namespace debrief::custom_rules {

struct SeriesKind {
  std::string_view name; ///< "gpu.util"
  const char* label;     ///< "GPU utilization"
  const char* each;      ///< what there is one of: "GPU", "core", "node"
  const char* unit;      ///< as gate::Quantity has it: "%", "B/s"; empty: none
  job::Metric metric = job::Metric::other;
  /// Made of all of a node's devices; then `metric` says nothing.
  std::optional<result::Metric> of_node = {};
};

/// All but "metric.NAME", which is any series by its recorder's own name.
std::span<const SeriesKind> series_kinds();

/// Null where there is none of this name.
const SeriesKind* find_series_kind(std::string_view name);

/// What begins the name of a series that only its recorder knows: "metric.GPUPowerWatts".
inline constexpr std::string_view kOtherSeries = "metric.";

} // namespace debrief::custom_rules

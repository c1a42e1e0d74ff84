// How many units of a layer do nothing: a unit's activity is the share of the batch in which it is
// active.
#pragma once

#include "job/tensors.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace debrief::rules::model {

/// Percent of the units of which less than `inactivity` percent of the batch is active. The first
/// dimension is the batch; nothing where a tensor has none, or no unit.
template <typename IsActive>
std::optional<double> inactive_percent(const job::TensorData& data, double inactivity,
                                       const IsActive& is_active) {
  if (data.shape.empty() || data.values.empty()) return std::nullopt;
  const auto batch = static_cast<std::size_t>(data.shape.front());
  const std::size_t units = data.values.size() / batch;
  std::vector<std::size_t> active(units);
  for (std::size_t row = 0; row < batch; ++row)
    for (std::size_t unit = 0; unit < units; ++unit)
      if (is_active(data.values[row * units + unit])) ++active[unit];
  std::size_t inactive = 0;
  for (const std::size_t count : active)
    if (100.0 * static_cast<double>(count) / static_cast<double>(batch) < inactivity) ++inactive;
  return 100.0 * static_cast<double>(inactive) / static_cast<double>(units);
}

} // namespace debrief::rules::model

// The median of a list: of an even number, the smaller of the two in the middle, so that it is a
// value that occurs. Percentiles that the report prints interpolate, as numpy does
// (aggregate/statistics.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace debrief {

/// 0 if there is none.
template <typename T>
T median(std::vector<T> values) {
  if (values.empty()) return T{};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace debrief

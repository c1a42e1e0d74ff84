// Quantiles of a sample, exact, with linear interpolation between neighbors (numpy's default).
#pragma once

#include <span>
#include <vector>

namespace debrief::aggregate {

/// The quantiles `shares` (ascending, each 0 to 1) of `values`, which are reordered. `values` is
/// not empty.
std::vector<double> quantiles(std::span<double> values, std::span<const double> shares);

/// max, p99, p95, p50 and min: what the usage table shows.
struct FiveNumbers {
  double max = 0;
  double p99 = 0;
  double p95 = 0;
  double p50 = 0;
  double min = 0;
};

/// `values` is not empty.
FiveNumbers five_numbers(std::vector<double> values);

} // namespace debrief::aggregate

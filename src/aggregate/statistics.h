// Statistics of a sample: quantiles, exact and with linear interpolation between neighbors (numpy's
// default), boxes and histograms.
#pragma once

#include "result/histogram.h"

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

// A distribution as a box: quartiles, whiskers at 1.5 times the box's height, and ends.

struct Box {
  double min = 0;
  double p05 = 0;
  double p25 = 0;
  double p50 = 0;
  double p75 = 0;
  double p95 = 0;
  double max = 0;

  double lower() const; ///< whisker
  double upper() const;
};

/// `values` is not empty.
Box box_of(std::span<const double> values);

// Histograms as numpy makes them, so that figures agree with SageMaker's files.

/// `bins` equal bins from the smallest to the largest value (half a unit to either side where all
/// are equal). Empty for no values.
result::Histogram histogram(std::span<const double> values, std::size_t bins);

/// 50 bins of 2 points from 0 to 100. Values outside, which a recorder should not write, go into
/// the first or last bin: nothing is lost.
result::Histogram percent_histogram(std::span<const double> values);

inline constexpr std::size_t kDurationBins = 100;

} // namespace debrief::aggregate

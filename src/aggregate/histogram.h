// Histograms as numpy makes them, so that figures agree with SageMaker's files.
#pragma once

#include "result/histogram.h"

#include <span>

namespace debrief::aggregate {

/// `bins` equal bins from the smallest to the largest value (half a unit to either side where all
/// are equal). Empty for no values.
result::Histogram histogram(std::span<const double> values, std::size_t bins);

/// 50 bins of 2 points from 0 to 100. Values outside, which a recorder should not write, go into
/// the first or last bin: nothing is lost.
result::Histogram percent_histogram(std::span<const double> values);

inline constexpr std::size_t kDurationBins = 100;

} // namespace debrief::aggregate

// How much of a GPU its kernels fill: estimated from how they were launched, as PyTorch's
// TensorBoard plugin does.
#pragma once

#include "aggregate/trace/intervals.h"
#include "job/trace.h"

#include <cstdint>
#include <optional>
#include <span>

namespace debrief::aggregate {

/// Sums over time, in nanoseconds; those of several traces add up.
struct SmTimes {
  double filled = 0;           ///< time × share of the multiprocessors that have a block
  double occupied = 0;         ///< time × occupancy, percent
  Nanoseconds with_blocks = 0; ///< of kernels that record their blocks
  Nanoseconds with_occupancy = 0;

  void add(const SmTimes& other);

  /// Percent of the profiled time; nothing where no kernel records its blocks.
  std::optional<double> efficiency(Nanoseconds profiled) const;

  /// Percent, mean over the time of kernels.
  std::optional<double> occupancy() const;
};

/// `work` are slices of one GPU. A kernel fills min(blocks per SM, 1); kernels that run at once
/// fill their sum, at most all.
SmTimes sm_times(const job::Trace& trace, std::span<const std::int32_t> work,
                 const IntervalSet& profiled);

} // namespace debrief::aggregate

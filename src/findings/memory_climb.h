// A GPU's memory that grew and grew until the job ended.
#pragma once

#include "job/metrics.h"
#include "util/time.h"

#include <optional>
#include <span>
#include <string>

namespace debrief::findings {

struct MemoryClimb {
  std::string node;
  std::string device;       ///< "gpu0"
  double from = 0;          ///< bytes, where it begins
  double to = 0;            ///< bytes, at its top
  double seconds = 0;       ///< in between
  bool since_start = false; ///< it grew for nearly all the time in which the GPU was used

  double per_second() const { return (to - from) / seconds; }
};

/// Of the GPU that was fullest when the job ended; nothing where its memory did not climb steadily
/// up to then.
std::optional<MemoryClimb> memory_climb(std::span<const job::MetricSeries> metrics,
                                        Microseconds end);

/// Percent of its memory that a GPU occupied at most in the last minute, of the fullest one;
/// nothing where nobody recorded how much is occupied.
std::optional<double> memory_at_end(std::span<const job::MetricSeries> metrics, Microseconds end);

} // namespace debrief::findings

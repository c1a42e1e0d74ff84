// Pauses of a node's GPUs within the training loop: stretches in which none of them works, though
// they work well around it.
#pragma once

#include "findings/series.h"
#include "util/time.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace debrief::findings {

/// Mean use of a node's GPUs by sample, percent; nothing outside the loop and where not sampled.
using Uses = std::vector<std::optional<double>>;

/// Samples next to each other.
struct Pause {
  std::size_t begin = 0;
  std::size_t end = 0;
  Microseconds length = 0; ///< how long the GPUs did not work
};

/// By time. None where GPUs do little also when they work: pauses are but a part of that then. A
/// pause that falls between two samples shows as a short dip in both.
std::vector<Pause> pauses_in(const Uses& use, const Intervals& intervals);

/// Whether the long ones are stalls of single steps, with work that goes on for longer between
/// them; else the loop as a whole has the habit of pausing.
bool are_stalls(const std::vector<Pause>& pauses, const TimeSpan& loop);

} // namespace debrief::findings

// One step in full, slice by slice: the slowest, the median and the fastest of all processes.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Slowest, median, fastest; "only" where there is but one step, no median where there are two.
/// Where no trace has steps, the beginning of the first one that has slices.
std::vector<result::StepView> step_views(std::span<const TraceIndex> traces,
                                         std::size_t most_slices = result::kMaxStepSlices);

} // namespace debrief::aggregate

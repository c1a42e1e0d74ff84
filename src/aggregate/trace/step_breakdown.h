// Where the time of each profiled step went: parts that sum to it exactly.
//
// At each moment the first of result::kStepParts that some stream or thread is in counts: what the
// GPU computes hides what the host does meanwhile. Steps that overlap are each taken on their own.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

struct StepFigures {
  std::vector<result::StepBreakdown> steps; ///< by trace, then time
  std::vector<result::ProcessBreakdown>
      processes; ///< all cycles of a process together, in the order of the traces; a trace without
                 ///< steps counts as one
};

StepFigures step_breakdown(std::span<const TraceIndex> indices);

} // namespace debrief::aggregate

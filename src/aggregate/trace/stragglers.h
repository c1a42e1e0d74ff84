// Who comes late to collectives, so that all others wait.
//
// The k-th collective of one name (and process group, and size where all ranks have the same) of a
// step is the same one in every process; where processes disagree on how many there are, that step
// says nothing. Clocks of different hosts may differ: collectives end together, so where the ends
// of two processes lie steadily apart, more steadily than their starts, the distance is taken as
// the difference of their clocks.
#pragma once

#include "aggregate/trace/collectives.h"
#include "aggregate/trace/processes.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Fills `stragglers` and `skew_us`; `collectives` are of each process's cycles. Traces of unknown
/// clock have no part in it.
void find_stragglers(std::span<const TracedProcess> processes,
                     std::span<const std::vector<std::vector<Collective>>> collectives,
                     result::Communication& communication);

/// Ends that are this much apart are the clocks' doing; less is the collective's own.
inline constexpr Nanoseconds kClocksDiffer = 1'000'000;

} // namespace debrief::aggregate

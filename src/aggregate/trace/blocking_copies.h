// Where the host waits for a copy to a GPU: memory that is not pinned is copied within the call.
#pragma once

#include "aggregate/trace/waiting_calls.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Calls that hold up the host until their copy is done: from pageable memory, or by their name
/// ("cudaMemcpy", "hipMemcpyWithStream"). Not those to the host, where it mostly waits for the work
/// before the copy: see copy_blocks().
WaitingCalls copying_calls(const TraceIndex& index);

/// Most time first, the first kMaxTraceRows. Of calls that begin in a profiled step.
std::vector<result::SyncRow> blocking_copies(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

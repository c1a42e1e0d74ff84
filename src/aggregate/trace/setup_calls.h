// Work that is done once, before steps have their usual pace: loading of GPU code, compilation,
// capture of graphs, trying out convolutions. A trace of mostly that says nothing of training.
#pragma once

#include "aggregate/trace/waiting_calls.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Calls that load, compile or capture by their name, and launches that take kLongLaunch or longer
/// though the GPU's queue is empty: the first launch of a kernel loads its code. Also operators
/// that take kLongOperator or longer to launch next to nothing.
WaitingCalls setup_calls(const TraceIndex& index);

/// Most time first, the first kMaxTraceRows. Of calls that begin in profiled time.
std::vector<result::SyncRow> setup_rows(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

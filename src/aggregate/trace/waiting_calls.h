// Calls in which the host waits, whatever for: when, and where in the code.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"
#include "util/interval_set.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// By slice: whether it is such a call.
using WaitingCalls = std::vector<bool>;

/// When some thread of the host is in one of the calls, of those that begin in a profiled step.
IntervalSet<Nanoseconds> time_in(const TraceIndex& index, const WaitingCalls& calls);

/// The calls of all traces that begin in a profiled step, by where they are: most time first, the
/// first kMaxTraceRows. One inside of another is part of it.
std::vector<result::SyncRow> waiting_rows(std::span<const TraceIndex> traces,
                                          WaitingCalls (*calls_of)(const TraceIndex&));

} // namespace debrief::aggregate

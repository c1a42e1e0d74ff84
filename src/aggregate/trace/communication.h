// How processes communicate: collectives by size, how much of them is hidden behind compute, who
// comes late, and which ranks have no trace.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>

namespace debrief::aggregate {

/// Collectives are listed per process, most time first; of many processes only the longest few
/// each, about kMaxTraceRows in all.
result::Communication communication(std::span<const TraceIndex> traces);

/// Fills `missing_ranks` and `missing_count`: of the world's size, or of the process groups where
/// that is not recorded. Nothing where no trace says its rank.
void find_missing_ranks(std::span<const job::Trace* const> traces, result::Communication& out);

} // namespace debrief::aggregate

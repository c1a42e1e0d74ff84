// Where the host waits for the GPU: calls that synchronize, and copies from the GPU that block
// until it has caught up.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

/// "cudaStreamSynchronize", "hipDeviceSynchronize", "cuCtxSynchronize". Queries return at once.
bool is_synchronizing(std::string_view call);

/// Most time first, the first kMaxTraceRows. Of calls that begin in a profiled step: the profiler
/// itself waits for the GPU when it stops. A wait inside of another counts once, as the outer one.
/// Copies count where they are from the GPU, under aten::item, aten::_local_scalar_dense, aten::to,
/// aten::_to_copy or aten::copy_, and block: asynchronous ones to pinned memory do not.
std::vector<result::SyncRow> sync_rows(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

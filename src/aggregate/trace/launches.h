// How processes launch kernels: how long the call takes, how long the kernel then waits, how many
// wait at once.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// One row per process with kernels. A call that starts several kernels (a CUDA graph) counts once:
/// its delay is that of the first of them. A kernel that is recorded before its launch, which
/// clocks of CPU and GPU that drift apart make, has no delay.
std::vector<result::LaunchStats> launch_stats(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

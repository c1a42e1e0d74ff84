// What each GPU did while it was profiled, and why it was idle.
//
// A gap is a stretch of profiled time in which no stream of the GPU works. It is blamed by the work
// that ends it: the host was late where that was launched after the gap began.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// One for each process and GPU that did something, all cycles of the process together; processes
/// in the order of the traces.
std::vector<result::GpuActivity> gpu_activity(std::span<const TraceIndex> indices);

} // namespace debrief::aggregate

// What the allocator did: how much was allocated and reserved over time, and who held it at the
// peak.
//
// The recorder gives totals with each event of a GPU's allocator. On the CPU several allocators
// report, each with totals of its own or none; there, and where a GPU's totals are less than the
// blocks that are known to be alive, the curve is the sum of the events' bytes, raised so that it
// never falls below zero: what is freed must have been there.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// One row per process and device, GPUs before the CPU. The cycles of a process share a curve; what
/// was allocated in an earlier cycle than the peak's counts as before the trace, since its end may
/// not have been seen. Holders beyond kMaxHolders are summed up in the last one, so that holders
/// and before_trace sum to the peak.
std::vector<result::DeviceMemory> device_memory(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

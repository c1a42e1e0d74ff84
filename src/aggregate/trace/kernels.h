// Kernels of all traces by name: how long, how launched, by whom, in which precision.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <cstddef>
#include <span>

namespace debrief::aggregate {

/// Of result::KernelRow::streams.
inline constexpr std::size_t kMaxStreams = 8;

result::Kernels trace_kernels(std::span<const TraceIndex> indices);

} // namespace debrief::aggregate

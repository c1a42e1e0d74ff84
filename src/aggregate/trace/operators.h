// Operators of all traces: how often they ran, how long on the host and, through what they
// launched, on the device.
//
// Host: a thread's operators nest. Total has what runs inside, counted once where an operator calls
// itself; self is without the operators inside, so that each moment of a thread counts once.
// Device: the work that an operator launched is its own; its totals have that of the operators
// inside of it too.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <string_view>

namespace debrief::aggregate {

result::TraceOperators trace_operators(std::span<const TraceIndex> indices);

/// Matrix products, convolutions, attention and recurrent layers: after the list of PyTorch's
/// TensorBoard plugin, less what only works element by element (prelu, the fused cells), plus what
/// came after it (attention, scaled and integer products, backward passes).
bool is_tensor_core_eligible(std::string_view op);

} // namespace debrief::aggregate

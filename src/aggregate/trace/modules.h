// Modules (torch.nn.Module) by name: how long their forward passes take on the host, and what they
// start on the GPU.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Over all processes; most device time of their own, then most host time of their own first; the
/// first kMaxModules. A module inside of one of the same name counts once.
std::vector<result::ModuleRow> module_rows(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

// Everything that the result says about a job's PyTorch traces.
#pragma once

#include "job/trace.h"
#include "result/trace.h"

#include <vector>

namespace debrief {

result::Traces trace_figures(const std::vector<Trace>& traces);

} // namespace debrief

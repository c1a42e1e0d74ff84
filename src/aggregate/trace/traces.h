// Everything that the result says about a job's PyTorch traces.
#pragma once

#include "job/trace.h"
#include "result/trace.h"

#include <vector>

namespace debrief::aggregate {

result::Traces trace_figures(const std::vector<job::Trace>& traces);

} // namespace debrief::aggregate

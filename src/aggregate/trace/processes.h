// The traces of a job by process: a process is profiled in one or several cycles, each of which is
// a trace.
#pragma once

#include "aggregate/trace/index.h"

#include <span>
#include <string>
#include <vector>

namespace debrief::aggregate {

struct TracedProcess {
  std::string name;
  std::vector<const TraceIndex*> cycles; ///< by time; never empty
};

/// In the natural order of their names.
std::vector<TracedProcess> by_process(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

// The traces of a job by process: a process is profiled in one or several cycles, each of which is
// a trace.
#pragma once

#include "aggregate/trace/index.h"
#include "aggregate/trace/intervals.h"

#include <span>
#include <string>
#include <vector>

namespace debrief {

struct TracedProcess {
  std::string name;
  std::vector<const TraceIndex*> cycles; ///< by time; never empty
};

/// In the natural order of their names.
std::vector<TracedProcess> by_process(std::span<const TraceIndex> traces);

/// The time in the trace's steps; all of it where it has none.
IntervalSet profiled_time(const TraceIndex& index);

} // namespace debrief

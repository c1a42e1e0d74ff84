// The longest chain of slices that depend on each other in a step: what has to be shorter for the
// step to be shorter.
#pragma once

#include "aggregate/trace/step_graph.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace debrief::aggregate {

struct PathSegment {
  Nanoseconds start{};
  Nanoseconds end{};
  PathPartKind part = PathPartKind::other_host;
  std::int32_t slice = StepGraph::kNone; ///< of the trace
};

struct StepPath {
  /// By time, without gaps and overlaps, from the step's start to its end; empty where nothing
  /// happens in it.
  std::vector<PathSegment> segments;
  /// By part: how much shorter the step would be if all of the part took no time.
  std::array<Nanoseconds, kPathPartCount> gains{};
};

StepPath critical_path(const TraceIndex& index, const TraceStep& step);

/// `which` is StepView::which.
result::CriticalPath path_figures(const TraceIndex& index, const TraceStep& step,
                                  const StepPath& path, std::string which);

} // namespace debrief::aggregate

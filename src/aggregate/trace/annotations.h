// Ranges that user code and the framework named: how often, how long, and how much GPU work they
// started.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Per process, most time first, the first kMaxAnnotations of each. Work belongs to a range where
/// its launch lies inside of it on the same thread; work of the autograd engine, whose threads run
/// while another one waits for the backward pass, belongs to the ranges open on other threads too
/// (collectives' own ranges apart).
std::vector<result::AnnotationRow> annotation_rows(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

// Operators by name: how often they ran, for how long, and for how long by themselves.
//
// An operator that calls another lasts as long as both. Total time has that in it, so the totals of
// nested operators count a moment several times; self time leaves out what ran inside, so that each
// moment of a thread counts once.
#pragma once

#include "aggregate/work.h"
#include "job/events.h"
#include "result/framework.h"

#include <vector>

namespace debrief::aggregate {

struct OperatorTimes {
  result::OperatorTable table;
  std::vector<result::ShareRow> busy; ///< self time per phase ("gpu_functions-dev:0"); no percents
};

/// The operators of one kind of work, cpu_operator or gpu_operator, over all processes.
OperatorTimes operator_times(const job::EventTable& events, const WorkKinds& kinds, Work kind);

} // namespace debrief::aggregate

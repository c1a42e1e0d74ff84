// What the framework spent its time on: modes of steps and the time between them, forward and
// backward passes, operators, data loading, collectives.
#pragma once

#include "aggregate/event_kind.h"
#include "aggregate/steps.h"
#include "job/events.h"
#include "result/framework.h"
#include "util/time.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace debrief::aggregate {

result::Framework framework_metrics(const job::EventTable& events, const EventKinds& kinds,
                                    std::span<const StepSeries> steps);

// Operators by name: how often they ran, for how long, and for how long by themselves.
//
// An operator that calls another lasts as long as both. Total time has that in it, so the totals of
// nested operators count a moment several times; self time leaves out what ran inside, so that each
// moment of a thread counts once.

struct OperatorTimes {
  result::OperatorTable table;
  std::vector<result::ShareRow> busy; ///< self time per phase ("gpu_functions-dev:0"); no percents
};

/// The operators of one kind of work, cpu_operator or gpu_operator, over all processes.
OperatorTimes operator_times(const job::EventTable& events, const EventKinds& kinds,
                             EventKind kind);

// Parts of a whole by name, as the framework's tables list them.

struct ShareSum {
  Microseconds duration = 0;
  std::int64_t calls = 0;
};

using ShareSums = std::map<std::string, ShareSum>;

/// Percents of the rows' own sum; every row has its seconds.
void set_percents(std::vector<result::ShareRow>& rows);

/// A list of more shares than this ends with one row for all the rest.
inline constexpr std::size_t kMaxShares = 100;

/// Largest first; what took no time at all (Horovod's ticks) has no part in it.
std::vector<result::ShareRow> shares(const ShareSums& sums);

} // namespace debrief::aggregate

// What traces have to do with the rest of a job: their processes get the names that the job's other
// files use, and their steps and data loading become events where no other file recorded any.
#pragma once

#include "job/events.h"
#include "job/metrics.h"
#include "job/trace.h"

#include <vector>

namespace debrief::ingest::kineto {

/// A job that ran on one machine has all its traces from there, whatever their files are called:
/// Lightning names them after the strategy, others after a host that metrics call algo-1.
void name_nodes(std::vector<job::Trace>& traces, const std::vector<job::MetricSeries>& metrics);

/// Sets Trace::process, and Trace::node where it is not known: that of the timeline whose number is
/// the trace's process id, else "rank 3", else "algo-1-605" by the worker's name, else the file's
/// name.
void name_processes(std::vector<job::Trace>& traces, const job::EventTableBuilder& events);

/// Steps ("Step:ModeKeys.PROFILED") and waits for the data loader ("DataLoaderIter") out of the
/// traces, each where `events` has none of its kind.
void add_events(const std::vector<job::Trace>& traces, job::EventTableBuilder& events);

} // namespace debrief::ingest::kineto

// The stretches of time that steps with certain numbers take.
#pragma once

#include "aggregate/trace/index.h"
#include "export/job_clock.h"
#include "job/job.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace debrief::exports {

/// Stretch of the job's clock, without its end.
using Span = std::pair<Nanoseconds, Nanoseconds>;

/// Of the profiled steps with these numbers (both included), else of the recorded ones: disjoint,
/// by time. Steps that follow each other in one process are one stretch. Throws Error where there
/// are none, with those that there are.
std::vector<Span> spans_of_steps(std::pair<std::int64_t, std::int64_t> numbers,
                                             const job::Job& job,
                                             const std::vector<aggregate::TraceIndex>& traces,
                                             const JobClock& clock);

} // namespace debrief::exports

// One file for everything that was recorded over time, on one clock: system metrics as counters,
// SageMaker's timelines and the slices of traces as threads, launches as arrows to what they
// started. docs/export.md describes it.
#pragma once

#include "aggregate/trace/index.h"
#include "export/chrome_trace.h"
#include "export/time_range.h"
#include "job/job.h"

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::exports {

struct ChromeTraceFile {
  std::uint64_t events = 0; ///< slices and samples
  std::uint64_t bytes = 0;
};

/// Writes what of the job overlaps the range. Throws Error where that is nothing, or where the file
/// cannot be written.
ChromeTraceFile write_chrome_trace(const job::Job& job, const RangeRequest& request,
                                   const std::string& target);

/// The slices that overlap a range, and the GPU's work that was launched in it; what the allocator
/// did within.
void write_traces(const std::vector<aggregate::TraceIndex>& traces, const JobClock& clock,
                  const TimeRanges& ranges, ChromeTrace& out);

} // namespace debrief::exports

// Which of the traces under a folder belong to the job.
#pragma once

#include "job/reading_report.h"
#include "job/trace.h"
#include "util/time.h"

#include <vector>

namespace debrief::ingest::kineto {

/// Leaves one of those that hold the same: a trace and its compressed copy would count twice. The
/// first by path stays; the others are listed as ignored.
void drop_copies(std::vector<job::Trace>& traces, job::ReadingReport& report);

/// Leaves those that were recorded during the job or within kSilenceBetweenJobs of it, and those
/// whose clock is not known; the others are listed as ignored.
void drop_others(const TimeSpan& job, std::vector<job::Trace>& traces, job::ReadingReport& report);

/// Leaves as many as sums of all their slices' times can hold; the others are listed as damaged.
void drop_overflowing(std::vector<job::Trace>& traces, job::ReadingReport& report);

} // namespace debrief::ingest::kineto

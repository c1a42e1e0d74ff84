// Puts a series of logged values into the order of steps. Where steps go back, a run was resumed:
// what it had logged from that step on does not count any more.
#pragma once

#include "job/reading_report.h"
#include "job/scalars.h"

namespace debrief::ingest {

/// Leaves `series` with ascending steps, none twice, and counts each row that is dropped: as
/// repaired where a later attempt logged its step again or went past it, else as skipped. A single
/// row at an earlier step is no attempt (a summary, a forgotten step): it replaces nothing and is
/// skipped itself.
void settle(job::ScalarSeries& series, job::ReadingReport& report);

} // namespace debrief::ingest

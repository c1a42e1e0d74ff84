// Several jobs can have written under one folder. They are told apart by the silence between them,
// and one is taken: the one asked for, else the one the description names, else the one with most
// data.
#pragma once

#include "job/description.h"
#include "job/events.h"
#include "job/metrics.h"
#include "job/reading_report.h"

#include <optional>
#include <vector>

namespace debrief::ingest {

/// An hour without a single sample or event ends a job: sampling intervals reach a minute, and a
/// machine that was replaced is back within less.
inline constexpr Microseconds kSilenceBetweenJobs = kHour;

/// How far a moment lies outside a span; 0 inside.
Microseconds time_outside(const TimeSpan& span, Microseconds time);

/// Keeps one job's samples and events; the others are listed in `report`. Throws Error where no job
/// starts near `wanted_start`. Events with an unknown clock belong to any job. Returns the time of
/// the job that was taken; nothing where there is neither sample nor event with a known time.
std::optional<TimeSpan> select_job(std::vector<job::MetricSeries>& metrics,
                                   job::EventTableBuilder& events,
                                   const job::JobDescription& description,
                                   std::optional<Microseconds> wanted_start,
                                   job::ReadingReport& report);

} // namespace debrief::ingest

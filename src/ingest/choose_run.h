// Stores of trackers (MLflow, W&B) keep run after run, of which one is the job.
//
// A run may lie in several files: W&B has one for each attempt, MLflow's text store one for each
// metric.
#pragma once

#include "ingest/reader.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::ingest {

/// Stores keep run after run; of other tools, a folder is what one job left.
bool is_store(job::ScalarSource source);

/// What a run is called where one has to be chosen.
std::string label_of(const LoggedRun& run);

/// From the first to the last moment that a run knows of; nothing where it knows of none.
std::optional<TimeSpan> span_of(const LoggedRun& run);

/// How long both last; less than 0 where one ended before the other began, or it is not known.
Microseconds shared_time(const std::optional<TimeSpan>& a, const std::optional<TimeSpan>& b);

/// Joins what several files of stores have of one run. The outcome has each run once; those of
/// other tools are left as they are.
std::vector<LoggedRun> whole_runs(std::vector<LoggedRun> runs);

/// Of whole runs: the one asked for, by name or id, else the latest, with those of other stores
/// that ran at the same time, and all of other tools. The others are listed in `report`, and count
/// as skipped where nobody asked for one: they may be what the job is about. Throws Error where
/// none is called `wanted`.
std::vector<LoggedRun> chosen_runs(std::vector<LoggedRun> runs,
                                   const std::optional<std::string>& wanted,
                                   job::ReadingReport& report);

} // namespace debrief::ingest

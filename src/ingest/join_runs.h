// What trackers logged, run by run, becomes one job's scalars.
//
// A folder is one job, so what its trackers say is joined: W&B's loss beside Lightning's. A store
// (MLflow, W&B) that has several runs gives one of them: the one asked for, else the latest.
#pragma once

#include "ingest/reader.h"
#include "job/job.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::ingest {

/// Takes the runs into `job`: scalars, totals, and whatever its description does not say. Series of
/// the machine go to `parts`. Runs that are not taken are listed in the reading report. `wanted`
/// is a run's name or id; throws Error where no run has it.
void join_runs(std::vector<LoggedRun> runs, const std::optional<std::string>& wanted, job::Job& job,
               std::vector<std::vector<SeriesPart>>& parts);

} // namespace debrief::ingest

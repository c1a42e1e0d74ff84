// Runs a job through the stages: ingest, aggregate, rules, findings, result. What every subcommand
// that reports on a job calls.
#pragma once

#include "findings/diagnose.h"
#include "ingest/read_job.h"
#include "pipeline/stage_clock.h"
#include "result/result.h"
#include "rules/settings.h"

namespace debrief {

/// Reads the job and counts the reading as stage "ingest".
Job ingest(const std::string& path, const ReadOptions& options, StageClock& clock);

struct AnalyzeOptions {
  ReadOptions read;
  RuleSettings rules; ///< what the user sets; it goes over what the job itself sets
  DiagnoseOptions diagnose;
};

/// Everything debrief finds out about the job.
result::Result analyze(const Job& job, const AnalyzeOptions& options, StageClock& clock);

} // namespace debrief

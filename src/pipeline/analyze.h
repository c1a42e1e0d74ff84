// Runs a job through the stages: ingest, aggregate, rules, findings, result. What every subcommand
// that reports on a job calls.
#pragma once

#include "custom_rules/run_custom_rules.h"
#include "findings/diagnose.h"
#include "ingest/read_job.h"
#include "pipeline/stage_clock.h"
#include "result/result.h"
#include "rules/settings.h"

namespace debrief::pipeline {

/// Reads the job and counts the reading as stage "ingest".
job::Job ingest(const std::string& path, const ingest::ReadOptions& options, StageClock& clock);

struct AnalyzeOptions {
  ingest::ReadOptions read;
  rules::RuleSettings rules; ///< what the user sets; it goes over what the job itself sets
  findings::DiagnoseOptions diagnose;
  std::optional<double> energy_price = {}; ///< USD of one kWh
  /// Whether thresholds in the job's own description hold. Not for a gate: the job must not soften
  /// what it is judged by.
  bool job_sets_rules = true;
  custom_rules::CustomRules custom = {}; ///< rules of the config file
};

/// Everything debrief finds out about the job.
result::Result analyze(const job::Job& job, const AnalyzeOptions& options, StageClock& clock);

} // namespace debrief::pipeline

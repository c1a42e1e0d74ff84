// A subcommand: its options, and what it does. One file each; main.cpp lists them.
#pragma once

#include "ingest/read_job.h"
#include "pipeline/stage_clock.h"
#include "rules/settings.h"
#include "util/error.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace debrief::cli {

/// Options that every subcommand on a job has.
struct JobOptions {
  std::string job;
  std::string job_start;
  bool follow_links = false;
  bool quiet = false;
  bool no_color = false;
  bool stats = false;
  bool strict = false;

  /// Adds them to the subcommand: the job first, these options after the subcommand's own.
  void add_job_to(CLI::App& command);
  void add_options_to(CLI::App& command);

  /// Checks the values; throws Error.
  ReadOptions read_options() const;

  /// Reads the job, with progress on stderr.
  Job read(ReadOptions options, StageClock& clock) const;
};

/// Options of every subcommand that runs the rules.
struct RuleOptions {
  std::vector<std::string> assignments; ///< "<Rule>_<parameter>=<value>"
  std::string config;

  void add_options_to(CLI::App& command);

  /// What both set, the command line over the file; throws Error.
  RuleSettings settings() const;
};

/// Each adds its subcommand to `app` and returns what runs it.
using Run = std::function<ExitCode()>;
Run add_report(CLI::App& app);
Run add_diff(CLI::App& app);
Run add_export(CLI::App& app);
Run add_rules(CLI::App& app);

} // namespace debrief::cli

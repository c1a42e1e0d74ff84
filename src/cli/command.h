// A subcommand: its options, and what it does. One file each; main.cpp lists them.
#pragma once

#include "custom_rules/run_custom_rules.h"
#include "ingest/read_job.h"
#include "pipeline/config.h"
#include "pipeline/stage_clock.h"
#include "trust/permission.h"
#include "util/error.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace debrief::cli {

/// Options that every subcommand on a job has.
struct JobOptions {
  std::string job;
  std::string job_start;
  std::string run; ///< name or id of a tracker's run; empty: the latest
  std::uint32_t max_unpack = ingest::kMaxUnpacked;
  bool follow_links = false;
  bool quiet = false;
  bool no_color = false;
  bool stats = false;
  bool strict = false;

  /// Adds them to the subcommand: the job first, these options after the subcommand's own.
  void add_job_to(CLI::App& command);
  /// For a subcommand that can take several jobs.
  static void add_jobs_to(CLI::App& command, std::vector<std::string>& jobs);
  void add_options_to(CLI::App& command);

  /// Checks the values; throws Error.
  ingest::ReadOptions read_options() const;

  /// Reads the job, with progress on stderr.
  job::Job read(ingest::ReadOptions options, pipeline::StageClock& clock) const;
};

/// What the config file says, and whether what it starts may be started.
struct LoadedConfig : pipeline::Config {
  trust::Permission permission;
};

/// Options of every subcommand that runs the rules.
struct RuleOptions {
  std::vector<std::string> assignments; ///< "<Rule>_<parameter>=<value>"
  std::string config_file;
  bool no_config = false;
  std::optional<double> price;        ///< USD of one GPU-hour
  std::optional<double> energy_price; ///< USD of one kWh

  void add_options_to(CLI::App& command);
  void add_config_to(CLI::App& command);
  void add_price_to(CLI::App& command);

  /// What the config file sets, with the command line's settings over it; throws Error. A file
  /// that was not asked for by name is noted on stderr.
  LoadedConfig config(bool quiet) const;

  /// The config file that is read; empty: none.
  std::string config_path() const;

  /// Whether that file is read because it lies in the current folder: it may be a stranger's.
  bool config_is_found() const { return config_file.empty() && !config_path().empty(); }
};

/// The config's custom rules, as they are run on one job, whose tables programs get. Those that are
/// not trusted do not run.
custom_rules::CustomRules custom_rules_for(const std::string& job, const ingest::ReadOptions& read,
                                           const LoadedConfig& config);

/// Each adds its subcommand to `app` and returns what runs it.
using Run = std::function<ExitCode()>;
Run add_report(CLI::App& app);
Run add_check(CLI::App& app);
Run add_diff(CLI::App& app);
Run add_export(CLI::App& app);
Run add_rules(CLI::App& app);
Run add_trust(CLI::App& app);
Run add_watch(CLI::App& app);
/// `command`: what follows "--" on the command line, which is not debrief's to read.
Run add_record(CLI::App& app, std::vector<std::string> command);

} // namespace debrief::cli

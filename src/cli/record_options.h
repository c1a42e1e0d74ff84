// What `debrief record` is asked to do.
#pragma once

#include "actions/trigger.h"
#include "cli/command.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace debrief::cli {

struct RecordOptions {
  std::vector<std::string> command;
  std::string output;
  std::string interval = "500ms";
  std::string name;
  int pid = 0;
  bool no_report = false;
  std::string trace;
  bool no_steps = false;
  bool no_stacks = false;
  bool no_trace = false;
  bool memory = false;
  bool quiet = false;
  std::string live;
  std::vector<std::string> on;
  std::string smtp;
  RuleOptions rules;
};

void add_options(CLI::App& command, RecordOptions& options);

// What the options say; each throws Error where that is nothing.

/// Before anything is started.
void check_record(const RecordOptions& options);
/// From sample to sample.
std::chrono::milliseconds interval_of(const RecordOptions& options);
/// From one look at the running job to the next.
std::chrono::milliseconds look_interval(const RecordOptions& options);
/// What the config file asks for, where it is trusted, then what the command line does.
actions::Plan plan_of(const RecordOptions& options, const LoadedConfig& config);
/// Says on stderr, and returns as a note for job.json, what of the config is not done since it is
/// not trusted; empty: nothing.
std::string left_out_of_recording(const RecordOptions& options, const LoadedConfig& config);
/// What reports of the job have from this command line.
std::vector<std::string> report_options_of(const RuleOptions& rules);

} // namespace debrief::cli

// `debrief check`: a gate for CI. Makes the result of a job, tests what is demanded of it, writes
// what is asked for and ends with 1 where something failed.
#include "cli/command.h"
#include "cli/config_place.h"
#include "cli/config_trust.h"
#include "cli/gate_lines.h"
#include "cli/notes.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "cli/verdict_lines.h"
#include "pipeline/analyze.h"
#include "result/saved_result.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

#include <memory>
#include <optional>
#include <vector>

namespace debrief::cli {

namespace {

struct CheckOptions : JobOptions {
  std::vector<std::string> fail_on;
  std::vector<std::string> require;
  std::string baseline;
  std::vector<std::string> tolerances;
  Outputs outputs;
  RuleOptions rules;
};

constexpr const char* kCheckExamples = R"(Examples:
  debrief check my-job
  debrief check my-job --fail-on 'severity>=warning' --fail-on StepOutlier
  debrief check my-job --require 'gpu.p50 >= 70' --require 'steps.train.p95 < 80ms'
  debrief check my-job --baseline main.json --tolerance 5% --tolerance steps.train.p50=2ms
  debrief check my-job --junit junit.xml -o report.html --json result.json
Exit codes: 0 passed; 1 a check failed; 2 wrong usage, unreadable input, or a check that
this job has no data for; 3 passed, but a file is cut off, or --strict and incomplete
input (1 goes before 3).)";

/// What the config file demands and what the command line adds to it.
gate::Demands demands_of(const CheckOptions& options, const pipeline::Config& config) {
  gate::Demands demands = config.gate;
  for (const std::string& text : options.fail_on)
    demands.add_fail_on(text, "--fail-on " + printable(text));
  for (const std::string& text : options.require)
    demands.add_require(text, "--require " + printable(text));
  if (!options.baseline.empty()) demands.baseline = options.baseline;
  for (const std::string& text : options.tolerances) {
    const std::string where = "--tolerance " + printable(text);
    if (demands.baseline.empty())
      throw Error(fmt::format("{}: nothing to compare with; add --baseline", where));
    demands.tolerances.set(text, where);
  }
  return demands;
}

/// A check leaves nothing out: what it could not judge would pass.
void refuse_left_out(const LoadedConfig& config) {
  const std::string programs = started_words(config, /*recording=*/false);
  if (programs.empty() || config.permission.refusal().empty()) return;
  throw Error(
      fmt::format("a check cannot leave out {}: {}", programs, config.permission.refusal()));
}

/// A saved result, or that of a job that is analyzed as the one under test is.
std::optional<result::Result> baseline_of(const CheckOptions& options, const std::string& path,
                                          pipeline::AnalyzeOptions analyze_options) {
  if (path.empty()) return std::nullopt;
  auto saved = result::read_result(path);
  refuse_config_in(options.rules, {path, "the baseline", options.follow_links, saved.has_value()});
  if (saved) return saved;
  pipeline::StageClock clock;
  analyze_options.read.job_start.reset();
  analyze_options.read.run.reset();
  JobOptions baseline = options;
  baseline.job = path;
  return pipeline::analyze(baseline.read(analyze_options.read, clock), analyze_options, clock);
}

ExitCode run_check(const CheckOptions& options) {
  Outputs outputs = options.outputs;
  const bool silent = outputs.take_stdout() || options.quiet;
  refuse_config_in(options.rules, {options.job, "the job", options.follow_links});
  const LoadedConfig config = options.rules.config(options.quiet);
  outputs.custom_rules = config.gate.custom_rules;
  outputs.take_stdout();
  gate::Demands demands = demands_of(options, config);
  if (demands.empty()) {
    demands.add_fail_on(gate::kDefaultDemand, "the default");
    if (!options.quiet)
      print_note(fmt::format("no checks given; using --fail-on '{}'", gate::kDefaultDemand));
  }
  Inputs inputs;
  inputs.add_job(options.job, options.follow_links);
  if (!demands.baseline.empty()) {
    inputs.add_file(demands.baseline, "is what is compared with");
    inputs.add_job(demands.baseline, options.follow_links);
  }
  inputs.add_file(options.rules.config_path(), "is the config file");
  inputs.refuse(outputs.all_files());
  refuse_left_out(config);
  pipeline::AnalyzeOptions analyze_options{options.read_options(),
                                           config.rules,
                                           {config.price},
                                           config.energy_price,
                                           /*job_sets_rules=*/false};
  const auto baseline = baseline_of(options, demands.baseline, analyze_options);
  analyze_options.custom = custom_rules_for(options.job, analyze_options.read, config);
  pipeline::StageClock clock;
  result::Result result =
      pipeline::analyze(options.read(analyze_options.read, clock), analyze_options, clock);
  try {
    result.gate = gate::evaluate(demands, result, baseline ? &*baseline : nullptr);
  } catch (const Error&) {
    outputs.write(result, clock, options.quiet); // they show what the job lacks
    throw;
  }
  clock.end_stage("gate", 0, result.gate->assertions.size());
  outputs.write(result, clock, options.quiet);

  if (!options.quiet) print_notes(result);
  if (!silent) {
    const bool color = wants_color(options.no_color, STDOUT_FILENO);
    fmt::print("{}{}", verdict_lines(result, color), gate_lines(*result.gate, color));
  }
  if (options.stats) print_to_stderr(clock.table());
  if (!result.gate->passed) return ExitCode::check_failed;
  if (options.strict && !result.data_quality.complete) {
    print_strict(result.data_quality);
    return ExitCode::incomplete;
  }
  if (!is_cut_off(result.data_quality)) return ExitCode::done;
  print_note(
      "all checks passed, but a file of the job is cut off or damaged, so this is not a pass");
  return ExitCode::incomplete;
}

void add_demands(CLI::App& command, CheckOptions& options) {
  command
      .add_option("--fail-on", options.fail_on,
                  "Fail if this is found: a finding (step_stalls), a rule\n(LowGPUUtilization) or "
                  "'severity>=warning'; may be\nrepeated. Default without other "
                  "checks:\nseverity>=critical")
      ->type_name("WHAT")
      ->allow_extra_args(false);
  command
      .add_option(
          "--require", options.require,
          "Require a metric, such as 'gpu.p50 >= 70' or\n'steps.train.p95 < 80ms'; may be repeated")
      ->type_name("CONDITION")
      ->allow_extra_args(false);
  command
      .add_option("--baseline", options.baseline,
                  "Baseline to compare against: a result.json or a job")
      ->type_name("RESULT")
      ->check(validate_not_empty)
      ->allow_extra_args(false);
  command
      .add_option("--tolerance", options.tolerances,
                  "Allowed regression: 5% for every metric, or for one\n(steps.train.p50=3% or "
                  "=2ms, gpu.p50=3pp), which is then\ncompared too; may be repeated")
      ->type_name("[FIGURE=]AMOUNT")
      ->allow_extra_args(false);
}

} // namespace

Run add_check(CLI::App& app) {
  auto* command = app.add_subcommand("check", "Check a job in CI: fail if it is not good enough");
  auto options = std::make_shared<CheckOptions>();
  options->add_job_to(*command);
  add_demands(*command, *options);
  options->outputs.add_page_to(*command, "Write the page; '-' is stdout");
  options->outputs.add_junit_to(*command);
  options->outputs.add_others_to(*command);
  options->rules.add_price_to(*command);
  options->rules.add_options_to(*command);
  options->add_options_to(*command);
  command->footer(kCheckExamples);
  return [options] { return run_check(*options); };
}

} // namespace debrief::cli

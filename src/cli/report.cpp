// `debrief report`: the page, the result as JSON, a summary, and SageMaker's rule outputs; of one
// job, or of each of many.
#include "cli/batch_report.h"
#include "cli/command.h"
#include "cli/config_trust.h"
#include "cli/outcome.h"
#include "cli/outputs.h"
#include "pipeline/analyze.h"
#include "util/text.h"

#include <memory>
#include <string>
#include <vector>

namespace debrief::cli {

namespace {

struct ReportOptions : JobOptions {
  std::vector<std::string> jobs; ///< one, but for --each
  BatchOptions batch;
  Outputs outputs;
  RuleOptions rules;
};

constexpr const char* kReportExamples = R"(Examples:
  debrief report sample_jobs/resnet50-healthy -o report.html
  debrief report s3-copy/my-job --json result.json --strict
  debrief report my-job --markdown summary.md
  debrief report my-job --param LowGPUUtilization_threshold_p95=50
  debrief report my-job --rule-outputs profiler-reports
  debrief report my-job --max-size 2MB
  debrief report --each runs/*/ --out-dir reports
  debrief report my-job -o - --quiet > report.html)";

std::string default_output(const result::Result& result) {
  return safe_file_name(result.job.name, "job") + "-report.html";
}

ExitCode run_report(const ReportOptions& options) {
  options.batch.check(options.jobs, options, options.outputs);
  if (options.batch.each)
    return run_batch(options.batch, options.jobs, options, options.outputs, options.rules);
  Outputs outputs = options.outputs;
  const bool silent = outputs.take_stdout() || options.quiet;
  Inputs inputs;
  inputs.add_job(options.job, options.follow_links);
  inputs.add_file(options.rules.config_path(), "is the config file");
  inputs.refuse(outputs.all_files());
  const LoadedConfig config = options.rules.config(options.quiet);
  note_left_out(config, options.quiet);
  outputs.custom_rules = config.gate.custom_rules;
  outputs.take_stdout();
  inputs.refuse(outputs.all_files());
  pipeline::AnalyzeOptions analyze_options{
      options.read_options(), config.rules, {config.price}, config.energy_price};
  analyze_options.custom = custom_rules_for(options.job, analyze_options.read, config);
  pipeline::StageClock clock;
  const result::Result result =
      pipeline::analyze(options.read(analyze_options.read, clock), analyze_options, clock);
  if (outputs.page.empty()) {
    outputs.page = default_output(result);
    inputs.refuse({{"-o", outputs.page}});
  }
  outputs.write(result, clock, options.quiet);
  return say_outcome(result, clock, options, outputs, silent);
}

} // namespace

Run add_report(CLI::App& app) {
  auto* command = app.add_subcommand("report", "Report on a finished job");
  auto options = std::make_shared<ReportOptions>();
  options->add_jobs_to(*command, options->jobs);
  options->outputs.add_page_to(
      *command, "The page to write; '-' is stdout. Default:\n<job name>-report.html");
  options->outputs.add_others_to(*command);
  options->batch.add_to(*command);
  options->rules.add_price_to(*command);
  options->rules.add_options_to(*command);
  options->add_options_to(*command);
  command->footer(kReportExamples);
  return [options] {
    options->job = options->jobs.front();
    return run_report(*options);
  };
}

} // namespace debrief::cli

// `debrief diff`: two jobs, or results of earlier reports, side by side.
#include "compare/diff.h"

#include "cli/command.h"
#include "cli/config_trust.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "pipeline/analyze.h"
#include "render/diff/diff_page.h"
#include "render/diff/diff_words.h"
#include "result/json.h"
#include "result/saved_result.h"
#include "util/pending_file.h"
#include "util/text.h"

#include <fmt/format.h>

#include <memory>

namespace debrief::cli {

namespace {

struct DiffOptions {
  JobOptions before; ///< has what holds for both, too
  JobOptions after;
  std::string output;
  std::string json;
  std::string markdown;
  RuleOptions rules;
};

constexpr const char* kDiffExamples = R"(Examples:
  debrief diff runs/monday runs/tuesday -o diff.html
  debrief diff baseline.json my-job --markdown summary.md
  debrief diff before.json after.json --json diff.json -o -)";

constexpr const char* kEither = "A job's folder or file, or a result.json";

/// The job's result: as it was saved, or made of the job. Both have the numbers that a document
/// has, so that a job and its saved result give the same page.
result::Result result_of(const JobOptions& options, const LoadedConfig& config,
                         pipeline::StageClock& clock) {
  if (auto saved = result::read_result(options.job)) return std::move(*saved);
  pipeline::AnalyzeOptions analyze_options{options.read_options(), config.rules, {}};
  analyze_options.custom = custom_rules_for(options.job, analyze_options.read, config);
  return result::from_json(result::to_json(
      pipeline::analyze(options.read(analyze_options.read, clock), analyze_options, clock)));
}

std::string default_output(const compare::Diff& diff) {
  return fmt::format("{}-vs-{}-diff.html", safe_file_name(diff.before.name, "job"),
                     safe_file_name(diff.after.name, "job"));
}

ExitCode run_diff(const DiffOptions& options) {
  const std::vector<NamedFile> outputs = {
      {"-o", options.output}, {"--json", options.json}, {"--markdown", options.markdown}};
  refuse_same_file(outputs);
  Inputs inputs;
  for (const std::string& job : {options.before.job, options.after.job}) {
    inputs.add_file(job, "is what is compared with");
    inputs.add_job(job, options.before.follow_links);
  }
  inputs.add_file(options.rules.config_path(), "is the config file");
  inputs.refuse(outputs);
  const LoadedConfig config = options.rules.config(options.before.quiet);
  note_left_out(config, options.before.quiet);
  JobOptions second = options.before;
  second.job = options.after.job;
  second.job_start = options.after.job_start;
  second.run = options.after.run;
  pipeline::StageClock clock;
  const result::Result before = result_of(options.before, config, clock);
  const result::Result after = result_of(second, config, clock);
  const compare::Diff diff = compare::make_diff(before, after);
  clock.end_stage("compare", 0, diff.figures.size());

  if (!options.json.empty()) write_file(options.json, compare::to_json_text(diff));
  if (!options.markdown.empty()) write_file(options.markdown, render::to_markdown(diff));
  const std::string output = options.output.empty() ? default_output(diff) : options.output;
  inputs.refuse({{"-o", output}});
  const std::string html = render::to_html(diff);
  write_file(output, html);
  clock.end_stage("render", html.size());

  const bool stdout_taken =
      is_stdout(output) || is_stdout(options.json) || is_stdout(options.markdown);
  if (!options.before.quiet && !stdout_taken)
    fmt::print("{}\ndiff: {}\n", render::outcome_text(diff), printable(output));
  if (options.before.stats) print_to_stderr(clock.table());
  const bool lost = !before.data_quality.complete || !after.data_quality.complete;
  if (!options.before.strict || !lost) return ExitCode::done;
  print_note("--strict: the input of one job is incomplete; its report says what is missing");
  return ExitCode::incomplete;
}

} // namespace

Run add_diff(CLI::App& app) {
  auto* command = app.add_subcommand("diff", "Compare two jobs: what improved, what got worse");
  auto options = std::make_shared<DiffOptions>();
  command->add_option("A", options->before.job, kEither)->type_name("")->required();
  command->add_option("B", options->after.job, "The job to compare with it")
      ->type_name("")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "The page to write; '-' is stdout. Default:\n<A>-vs-<B>-diff.html")
      ->type_name("FILE")
      ->check(validate_not_empty);
  command->add_option("--json", options->json, "Also write the comparison as JSON; '-' is stdout")
      ->type_name("FILE")
      ->check(validate_not_empty);
  command
      ->add_option("--markdown", options->markdown,
                   "Also write a Markdown summary, at most 60 lines;\n'-' is stdout")
      ->type_name("FILE")
      ->check(validate_not_empty);
  options->rules.add_options_to(*command);
  options->before.add_options_to(*command);
  command
      ->add_option("--job-start-b", options->after.job_start,
                   "The same for B; --job-start is for A only")
      ->type_name("TIME");
  command->add_option("--run-b", options->after.run, "The same for B; --run is for A only")
      ->type_name("NAME");
  command->footer(kDiffExamples);
  return [options] { return run_diff(*options); };
}

} // namespace debrief::cli

// `debrief report`: the page, the result as JSON, a summary, and SageMaker's rule outputs.
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/verdict_lines.h"
#include "pipeline/analyse.h"
#include "render/html.h"
#include "render/markdown.h"
#include "render/rule_outputs.h"
#include "result/json.h"
#include "util/pending_file.h"
#include "util/size.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

#include <memory>
#include <optional>
#include <vector>

namespace debrief::cli {

namespace {

struct ReportOptions : JobOptions {
  std::string output;
  std::string json;
  std::string markdown;
  std::string rule_outputs;
  std::string max_size = "8MB";
  std::optional<double> price;
  RuleOptions rules;
};

constexpr const char* kExamples = R"(Examples:
  debrief report sample_jobs/resnet50-healthy -o report.html
  debrief report s3-copy/my-job --json result.json --strict
  debrief report my-job --markdown summary.md
  debrief report my-job --param LowGPUUtilization_threshold_p95=50
  debrief report my-job --rule-outputs profiler-reports
  debrief report my-job --max-size 2MB
  debrief report my-job -o - --quiet > report.html)";

std::string default_output(const result::Result& result) {
  return safe_file_name(result.job.name, "job") + "-report.html";
}

void note_losses(const result::DataQuality& quality) {
  const auto note = [](const char* what, const std::vector<result::TroubleRow>& rows) {
    for (const result::TroubleRow& row : rows)
      print_note(fmt::format("{} {}: {} (first: {})", row.count, what, printable(row.reason),
                             printable(row.first_seen)));
  };
  note("skipped", quality.skipped);
  note("damaged", quality.damaged_files);
  if (!quality.other_jobs.empty())
    print_note(fmt::format("the folder holds {} more, left out; choose with --job-start",
                           count_of(quality.other_jobs.size(), "job")));
}

std::size_t size_limit(const ReportOptions& options) {
  const auto size = parse_size(options.max_size);
  if (!size)
    throw Error(fmt::format("--max-size {}: is not a size; write it as 500kB, 8MB or 2000000",
                            printable(options.max_size)));
  return *size;
}

/// Whether one output goes to stdout; throws where several do.
bool takes_stdout(const ReportOptions& options) {
  std::vector<std::string> taking;
  if (options.output == "-") taking.emplace_back("-o -");
  if (options.json == "-") taking.emplace_back("--json -");
  if (options.markdown == "-") taking.emplace_back("--markdown -");
  if (taking.size() > 1)
    throw Error(fmt::format("{}: only one of them can go to stdout; give the other a file",
                            fmt::join(taking, " and ")));
  return !taking.empty();
}

ExitCode run_report(const ReportOptions& options) {
  const bool stdout_taken = takes_stdout(options);
  render::PageOptions page;
  page.max_size = size_limit(options);
  const AnalyseOptions analyse_options{
      options.read_options(), options.rules.settings(), {options.price}};
  StageClock clock;
  const result::Result result =
      analyse(options.read(analyse_options.read, clock), analyse_options, clock);

  std::uint64_t bytes = 0;
  if (!options.rule_outputs.empty())
    bytes += render::write_rule_outputs(result, options.rule_outputs);
  if (!options.json.empty()) {
    const std::string json = result::to_json_text(result);
    write_file(options.json, json);
    bytes += json.size();
  }
  if (!options.markdown.empty()) {
    const std::string markdown = render::to_markdown(result);
    write_file(options.markdown, markdown);
    bytes += markdown.size();
  }
  const std::string output = options.output.empty() ? default_output(result) : options.output;
  page.text_done = [&] { clock.end_stage("render", bytes); };
  const std::string html = render::to_html(result, page);
  write_file(output, html);
  clock.end_stage("embed", html.size());

  if (!options.quiet) {
    note_losses(result.data_quality);
    for (const result::IgnoredParameter& parameter : result.provenance.ignored_parameters)
      print_note(fmt::format("{} is ignored: {}", printable(parameter.name), parameter.reason));
    if (html.size() > page.max_size)
      print_note(fmt::format("the page has {}, more than --max-size {}: nothing but samples is "
                             "left out of it",
                             to_human_bytes(static_cast<double>(html.size())),
                             printable(options.max_size)));
    if (!stdout_taken)
      fmt::print("{}report: {}\n",
                 verdict_lines(result, wants_color(options.no_color, STDOUT_FILENO)), output);
  }
  if (options.stats) fmt::print(stderr, "{}", clock.table());
  return options.strict && !result.data_quality.complete ? ExitCode::incomplete : ExitCode::done;
}

} // namespace

Run add_report(CLI::App& app) {
  auto* command = app.add_subcommand("report", "Make the report of a finished job");
  auto options = std::make_shared<ReportOptions>();
  options->add_job_to(*command);
  command
      ->add_option("-o,--output", options->output,
                   "The page to write; '-' is stdout. Default:\n<job name>-report.html")
      ->type_name("FILE");
  command->add_option("--json", options->json, "Also write the result object; '-' is stdout")
      ->type_name("FILE");
  command
      ->add_option("--markdown", options->markdown,
                   "Also write a summary for a pull request, at most 60\nlines; '-' is stdout")
      ->type_name("FILE");
  command
      ->add_option("--rule-outputs", options->rule_outputs,
                   "Also write SageMaker's eleven rule files, <Rule>.json,\ninto this folder")
      ->type_name("DIR");
  command
      ->add_option("--max-size", options->max_size,
                   "Bytes that the page may have, such as 500kB or 8MB;\n"
                   "samples are thinned to keep it. Default: 8MB")
      ->type_name("SIZE");
  command
      ->add_option("--price", options->price,
                   "What one GPU costs per hour, in USD: the report says what\nwas lost in money")
      ->type_name("USD")
      ->check(CLI::NonNegativeNumber);
  options->rules.add_options_to(*command);
  options->add_options_to(*command);
  command->footer(kExamples);
  return [options] { return run_report(*options); };
}

} // namespace debrief::cli

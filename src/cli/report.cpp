// `debrief report`: the page, the result as JSON, and SageMaker's rule outputs.
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/terminal.h"
#include "pipeline/analyse.h"
#include "render/html.h"
#include "render/rule_outputs.h"
#include "result/json.h"
#include "util/pending_file.h"
#include "util/size.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace debrief::cli {

namespace {

struct ReportOptions : JobOptions {
  std::string output;
  std::string json;
  std::string rule_outputs;
  std::string max_size = "8MB";
  std::optional<double> price;
  RuleOptions rules;
};

constexpr const char* kExamples = R"(Examples:
  debrief report sample_jobs/resnet50-healthy -o report.html
  debrief report s3-copy/my-job --json result.json --strict
  debrief report my-job --param LowGPUUtilization_threshold_p95=50
  debrief report my-job --rule-outputs profiler-reports
  debrief report my-job --max-size 2MB
  debrief report my-job -o - --quiet > report.html)";

std::string default_output(const result::Result& result) {
  return safe_file_name(result.job.name, "job") + "-report.html";
}

/// What a person wants to know before opening the page.
std::string summary_line(const result::Result& result) {
  std::string line = printable(result.job.name);
  if (result.job.span)
    line += fmt::format(": ran for {}",
                        to_human_duration(static_cast<double>(result.job.span->length()) / 1e6));
  std::vector<const result::UsageRow*> gpus;
  for (const result::UsageRow& row : result.system_usage)
    if (row.metric == "GPU") gpus.push_back(&row);
  if (gpus.empty()) return line;
  const auto [least, most] = std::minmax_element(
      gpus.begin(), gpus.end(), [](const auto* a, const auto* b) { return a->p50 < b->p50; });
  if (gpus.size() > 1)
    return line + fmt::format(", GPU p50 {:.0f} % ({}) to {:.0f} % ({}) on {}", (*least)->p50,
                              printable((*least)->node), (*most)->p50, printable((*most)->node),
                              count_of(gpus.size(), "node"));
  return line + fmt::format(", GPU p50 {:.0f} % p95 {:.0f} % on {}", (*most)->p50, (*most)->p95,
                            printable((*most)->node));
}

/// "rules: 3 found an issue (LowGPUUtilization, BatchSize, StepOutlier), 2 not evaluated"
std::string rules_line(const std::vector<result::RuleRow>& rules) {
  std::vector<std::string> found;
  std::size_t skipped = 0;
  for (const result::RuleRow& rule : rules) {
    if (rule.status == result::RuleStatus::issue_found) found.push_back(rule.rule);
    if (rule.status == result::RuleStatus::not_evaluated) ++skipped;
  }
  const std::string names = found.empty() ? "" : fmt::format(" ({})", fmt::join(found, ", "));
  return fmt::format("rules: {} found an issue{}, {} not evaluated", found.size(), names, skipped);
}

std::size_t size_limit(const ReportOptions& options) {
  const auto size = parse_size(options.max_size);
  if (!size)
    throw Error(fmt::format("--max-size {}: is not a size; write it as 500kB, 8MB or 2000000",
                            printable(options.max_size)));
  return *size;
}

ExitCode run_report(const ReportOptions& options) {
  if (options.output == "-" && options.json == "-")
    throw Error("-o - and --json -: only one of them can go to stdout; give the other a file");
  render::PageOptions page;
  page.max_size = size_limit(options);
  const Config config = options.rules.config(options.quiet);
  const AnalyseOptions analyse_options{
      options.read_options(), config.rules, {options.price ? options.price : config.price}};
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
  const std::string output = options.output.empty() ? default_output(result) : options.output;
  page.text_done = [&] { clock.end_stage("render", bytes); };
  const std::string html = render::to_html(result, page);
  write_file(output, html);
  clock.end_stage("embed", html.size());

  const bool stdout_taken = output == "-" || options.json == "-";
  if (!options.quiet) {
    print_notes(result);
    if (html.size() > page.max_size)
      print_note(fmt::format("the page has {}, more than --max-size {}: nothing but samples is "
                             "left out of it",
                             to_human_bytes(static_cast<double>(html.size())),
                             printable(options.max_size)));
    if (!stdout_taken)
      fmt::print("{}\n{}\nreport: {}\n", summary_line(result), rules_line(result.rules), output);
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

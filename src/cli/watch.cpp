// `debrief watch`: the report of a job that runs, again and again until it has ended.
#include "actions/observer.h"
#include "cli/command.h"
#include "cli/config_trust.h"
#include "cli/outcome.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "pipeline/analyze.h"
#include "util/duration_text.h"
#include "util/pending_file.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace debrief::cli {

namespace {

struct WatchOptions : JobOptions {
  Outputs outputs;
  RuleOptions rules;
  std::string every = "30s";
  bool once = false;
  std::string findings; ///< where the findings go; for `debrief record`, which looks at its own job
};

constexpr const char* kWatchExamples = R"(Examples:
  debrief watch runs/42
  debrief watch runs/42 --every 10s -o live.html
Ends when the job ends, or when nothing was recorded for five minutes.)";

constexpr std::chrono::milliseconds kLeastWait{1000};
constexpr std::chrono::milliseconds kMostWait{3'600'000};
/// A recorder that was killed leaves a job that runs forever, by its description.
constexpr Microseconds kSilence = 5 * kMinute;

std::chrono::milliseconds wait_of(const WatchOptions& options) {
  const auto wait = parse_duration(options.every);
  if (!wait)
    throw Error(
        fmt::format("--every: invalid time '{}'; write 30s or 5min", printable(options.every)));
  if (*wait < kLeastWait || *wait > kMostWait)
    throw Error(fmt::format("--every: '{}' is not between 1s and 60min", options.every));
  return *wait;
}

/// By its description, and by its samples.
bool is_running(const result::Result& result, std::chrono::milliseconds wait) {
  if (result.job.status != "InProgress" || !result.job.span) return false;
  const Microseconds now = std::chrono::duration_cast<std::chrono::microseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  const Microseconds patience = std::max<Microseconds>(kSilence, Microseconds{3000} * wait.count());
  return now - result.job.span->last < patience;
}

ExitCode run_watch(const WatchOptions& options) {
  const std::chrono::milliseconds wait = wait_of(options);
  Outputs outputs = options.outputs;
  if (outputs.page.empty())
    outputs.page = (std::filesystem::path{options.job} / "report.html").string();
  const bool to_stdout = outputs.take_stdout();
  const bool silent = to_stdout || options.quiet;
  if (to_stdout && !options.once)
    throw Error("-o -: the page is written repeatedly, so it cannot go to stdout; name a file");
  Inputs inputs;
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
  for (bool first = true;; first = false) {
    pipeline::StageClock clock;
    const result::Result result =
        pipeline::analyze(options.read(analyze_options.read, clock), analyze_options, clock);
    const bool running = is_running(result, wait);
    outputs.reload_seconds =
        running ? static_cast<int>(std::max<std::int64_t>(1, wait.count() / 1000)) : 0;
    outputs.write(result, clock, options.quiet);
    if (!options.findings.empty()) write_file(options.findings, actions::to_look_text(result));
    if (!running || options.once) return say_outcome(result, clock, options, outputs, silent);
    if (first && !silent)
      print_note(fmt::format("the job is running; writing {} every {} until it ends",
                             printable(outputs.page), printable(options.every)));
    std::this_thread::sleep_for(wait);
  }
}

} // namespace

Run add_watch(CLI::App& app) {
  auto* command = app.add_subcommand("watch", "Report on a running job until it ends");
  auto options = std::make_shared<WatchOptions>();
  options->add_job_to(*command);
  options->outputs.add_page_to(*command, "The page to write. Default: report.html in the job's\n"
                                         "folder");
  command
      ->add_option("--every", options->every,
                   "Time between reports, 1s to 60min; the page reloads as\noften. Default: 30s")
      ->type_name("TIME");
  command->add_flag("--once", options->once, "Report once, even if the job is still running");
  command
      ->add_option("--findings", options->findings, "Also write just the findings; '-' is stdout")
      ->type_name("FILE")
      ->check(validate_not_empty)
      ->group(""); // what `debrief record --on` reads
  options->rules.add_price_to(*command);
  options->rules.add_options_to(*command);
  options->add_options_to(*command);
  command->footer(kWatchExamples);
  return [options] { return run_watch(*options); };
}

} // namespace debrief::cli

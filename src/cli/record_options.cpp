#include "cli/record_options.h"

#include "cli/config_trust.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "record/description.h"
#include "record/sampler.h"
#include "record/trace_windows.h"
#include "util/duration_text.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>

namespace debrief::cli {

namespace {

constexpr const char* kRecordExamples = R"(The command follows '--' and is not changed.
Examples:
  debrief record -- python train.py --epochs 3
  debrief record -o runs/42 --trace steps=8,every=5min -- torchrun --nproc-per-node 8 train.py
  srun debrief record -o /shared/runs/$SLURM_JOB_ID -- python train.py
  debrief record --live 30s --on 'idle_gpus for 10min=stop' -- python train.py
  debrief record --pid 12345
The exit code is the command's, or 128 and the number of the signal that ended it; 127 where there
is no such command, 126 where it cannot be run, and 2 where nothing was started.)";

} // namespace

std::chrono::milliseconds interval_of(const RecordOptions& options) {
  const auto interval = parse_duration(options.interval);
  if (!interval)
    throw Error(fmt::format("--interval {}: is not a time; write it as 200ms or 1s",
                            printable(options.interval)));
  if (*interval < record::kLeastInterval || *interval > record::kMostInterval)
    throw Error(fmt::format("--interval {}: is not between 100ms and 60s", options.interval));
  return *interval;
}

std::chrono::milliseconds look_interval(const RecordOptions& options) {
  constexpr std::chrono::milliseconds kUsual{30'000};
  if (options.live.empty()) return kUsual;
  const auto every = parse_duration(options.live);
  if (!every)
    throw Error(
        fmt::format("--live {}: is not a time; write it as 30s or 5min", printable(options.live)));
  if (*every < std::chrono::seconds{1} || *every > std::chrono::hours{1})
    throw Error(fmt::format("--live {}: is not between 1s and 60min", options.live));
  return *every;
}

actions::Plan plan_of(const RecordOptions& options, const LoadedConfig& config) {
  actions::Plan plan;
  if (config.permission.refusal().empty()) plan = config.actions;
  for (const std::string& text : options.on)
    plan.triggers.push_back(
        actions::parse_trigger(text, fmt::format("--on '{}'", printable(text))));
  if (!options.smtp.empty()) {
    actions::check_mail_server(options.smtp, "--smtp " + printable(options.smtp));
    plan.mail.url = options.smtp;
  }
  return plan;
}

std::string left_out_of_recording(const RecordOptions& options, const LoadedConfig& config) {
  if (config.permission.refusal().empty()) return "";
  std::string note = fmt::format("left out {}: {}", started_words(config, /*recording=*/true),
                                 config.permission.refusal());
  if (!options.quiet && record::launched_rank() == 0) print_note(note);
  return note;
}

std::vector<std::string> report_options_of(const RuleOptions& rules) {
  std::vector<std::string> words;
  if (rules.no_config) words.emplace_back("--no-config");
  if (!rules.config_file.empty()) words.insert(words.end(), {"--config", rules.config_file});
  if (rules.price) words.insert(words.end(), {"--price", fmt::format("{}", *rules.price)});
  if (rules.energy_price)
    words.insert(words.end(), {"--energy-price", fmt::format("{}", *rules.energy_price)});
  for (const std::string& assignment : rules.assignments)
    words.insert(words.end(), {"--param", assignment});
  return words;
}

void check_record(const RecordOptions& options) {
  const bool has_command = !options.command.empty() && !options.command.front().empty();
  if (options.pid == 0 && !has_command)
    throw Error("there is no command to record; write it after '--', as in 'debrief record -- "
                "python train.py'");
  if (options.pid > 0 && has_command)
    throw Error("--pid and a command exclude each other; give one of them");
  if (options.no_trace && !options.trace.empty())
    throw Error("--no-trace excludes --trace; leave it out");
  if (options.no_steps && options.memory) throw Error("--no-steps excludes --memory; leave it out");
  if (options.no_report && !options.live.empty())
    throw Error("--no-report excludes --live; leave one of them out");
  if (options.pid > 0 && ::kill(options.pid, 0) != 0 && errno == ESRCH)
    throw Error(fmt::format("--pid {}: there is no such process; check its number", options.pid));
  if (!options.trace.empty()) static_cast<void>(record::parse_trace_windows(options.trace));
  look_interval(options);
}

void add_options(CLI::App& command, RecordOptions& options) {
  command
      .add_option("-o,--output", options.output,
                  "The job's folder. One that has a recording already is\n"
                  "left alone, and DIR-2 taken. Default:\n"
                  "debrief-<command>-<time>")
      ->type_name("DIR")
      ->check(validate_not_empty);
  command
      .add_option("--interval", options.interval,
                  "Time from sample to sample, 100ms to 60s. Default: 500ms")
      ->type_name("TIME");
  command.add_option("--name", options.name, "The job's name. Default: the command's")
      ->type_name("NAME")
      ->check(validate_not_empty);
  command
      .add_option("--pid", options.pid,
                  "Record a process that runs already, until it ends or\ndebrief is interrupted")
      ->type_name("PID")
      ->check(CLI::Range(1, 1 << 22));
  command.add_flag("--no-steps", options.no_steps,
                   "Do not mark steps and data waits of PyTorch scripts;\nincludes --no-stacks");
  command.add_flag("--no-stacks", options.no_stacks,
                   "Do not sample the stacks of Python processes");
  command
      .add_option("--trace", options.trace,
                  "When to trace PyTorch: after=STEPS, steps=STEPS,\nevery=TIME. Default: "
                  "after=20,steps=4,every=10min")
      ->type_name("WHEN")
      ->check(validate_not_empty);
  command.add_flag("--no-trace", options.no_trace, "Record no PyTorch traces");
  command.add_flag("--memory", options.memory, "Also record CUDA memory snapshots");
  command
      .add_option(
          "--live", options.live,
          "Also make the report while the command runs, again and\nagain, 1s to 60min apart")
      ->type_name("TIME")
      ->check(validate_not_empty);
  command
      .add_option("--on", options.on,
                  "Do something once a finding holds; may be repeated.\n"
                  "CONDITION: a kind of finding or severity>=critical, and\n"
                  "'for 10min' after it. ACTION: stop, stop:60s (until\n"
                  "SIGKILL), webhook:URL, email:ADDRESS, run:COMMAND")
      ->type_name("CONDITION=ACTION")
      ->allow_extra_args(false);
  command
      .add_option("--smtp", options.smtp,
                  "The mail server of email actions. Default:\nsmtp://localhost:25")
      ->type_name("URL")
      ->check(validate_not_empty);
  options.rules.add_price_to(command);
  options.rules.add_options_to(command);
  command.add_flag("--no-report", options.no_report, "Make no report at the end");
  command.add_flag("-q,--quiet", options.quiet, "Print nothing but errors");
  command.footer(kRecordExamples);
}

} // namespace debrief::cli

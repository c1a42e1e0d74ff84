// `debrief record`: runs a command as if by itself, records its machine meanwhile, and makes the
// report at its end.
#include "cli/command.h"
#include "cli/live_looks.h"
#include "cli/outputs.h"
#include "cli/record_folder.h"
#include "cli/record_options.h"
#include "cli/terminal.h"
#include "record/command.h"
#include "record/description.h"
#include "record/failures.h"
#include "record/helpers.h"
#include "record/node_name.h"
#include "record/recorder_folder.h"
#include "record/sampler.h"
#include "record/sole_recorder.h"
#include "record/step_shim.h"
#include "record/trace_daemon.h"
#include "util/pending_file.h"
#include "util/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <sched.h>
#include <string>
#include <utility>
#include <vector>

namespace debrief::cli {

namespace {

namespace fs = std::filesystem;

Microseconds time_now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string wanted_folder(const RecordOptions& options, const std::string& name) {
  std::string wanted = options.output;
  if (wanted.empty())
    wanted = fmt::format("debrief-{}-{:%Y%m%d-%H%M%S}", name,
                         fmt::gmtime(static_cast<std::time_t>(time_now() / kSecond)));
  while (wanted.size() > 1 && wanted.back() == '/')
    wanted.pop_back();
  return wanted;
}

/// Ranks of a launcher record into one folder.
bool shares_folder() {
  const bool launched = !record::known_environment().empty() && record::launched_rank() > 0;
  return launched || record::launched_nodes() > 1;
}

std::size_t allowed_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return static_cast<std::size_t>(CPU_COUNT(&allowed));
  return static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

class Recording {
public:
  /// The description's notes are those that were said already.
  Recording(const RecordOptions& options, record::Description description, RecordFolder& folder,
            actions::Plan plan, const trust::Permission& permission)
      : options_(options)
      , description_(std::move(description))
      , job_(folder)
      , folder_(folder.path())
      , notes_said_(description_.notes.size())
      , describes_(record::launched_rank() == 0)
      , sole_(folder_, description_.host) {
    if (!sole_.trouble().empty()) description_.notes.push_back(sole_.trouble());
    if (describes_ && (!options_.live.empty() || !plan.triggers.empty()))
      looks_.emplace(live_options(std::move(plan), permission));
  }

  /// What the command, or who asked for an end, says. Once the command runs, nothing throws: what
  /// the system refuses becomes a note, and the command is waited for.
  int run() {
    write_description();
    if (options_.pid > 0) return follow();
    if (!options_.no_steps || !options_.no_trace) put_in_place();
    record::Command command{description_.command, variables_for_command()};
    if (command.refusal() != 0) return refuse(command);
    job_.keep();
    attempt([&] { begin(command.pid(), helpers_); });
    const record::Ending ending = command.wait(looks_ ? &*looks_ : nullptr);
    {
      const std::lock_guard lock{mutex_};
      command_ = command.pid();
      description_.ending = ending;
      const bool stopped = looks_.has_value() && looks_->has_stopped();
      description_.interrupted = stopped || record::was_interrupted(ending, description_.command);
    }
    finish();
    return ending.code;
  }

private:
  int follow() {
    job_.keep();
    attempt([&] { begin(options_.pid, nullptr); });
    const bool ended = record::wait_for_process(options_.pid, looks_ ? &*looks_ : nullptr);
    {
      const std::lock_guard lock{mutex_};
      description_.interrupted = !ended || (looks_ && looks_->has_stopped());
    }
    finish();
    return 0;
  }

  void put_in_place() {
    place_.emplace();
    if (!options_.no_steps) shim_.emplace(*place_, folder_, options_.memory, !options_.no_stacks);
    if (!options_.no_trace) traces_.emplace(*place_, trace_options(), folder_);
  }

  void begin(pid_t root, const std::shared_ptr<const record::Helpers>& of_tree) {
    if (looks_) looks_->begin(root, helpers_);
    if (traces_) traces_->start();
    start_sampling(root, of_tree);
  }

  /// What fails becomes a note, where there is memory for one.
  template <typename Work>
  void attempt(const Work& work) noexcept {
    try {
      work();
    } catch (const std::exception& error) {
      note_failure(error.what());
    }
  }

  void note_failure(const char* what) noexcept {
    try {
      const std::lock_guard lock{mutex_};
      description_.notes.push_back(
          fmt::format("a part of the recording failed ({}); the command went on", printable(what)));
    } catch (const std::exception&) {
      // What is missing is seen.
    }
  }

  LiveOptions live_options(actions::Plan plan, const trust::Permission& permission) {
    LiveOptions live;
    live.job = folder_.string();
    if (!options_.no_report) live.page = (folder_ / "report.html").string();
    live.name = description_.name;
    live.host = description_.host;
    live.every = look_interval(options_);
    live.report_options = report_options_of(options_.rules);
    live.plan = std::move(plan);
    live.permission = permission;
    live.quiet = options_.quiet;
    live.gpus_idle_for = [this] { return sampler_ ? sampler_->gpus_idle_for() : std::nullopt; };
    live.before_look = [this] { copy_failures(); };
    live.took = [this](const std::vector<record::TakenAction>& taken) {
      const std::lock_guard lock{mutex_};
      description_.actions = taken;
      write_description();
    };
    return live;
  }

  void start_sampling(pid_t root, std::shared_ptr<const record::Helpers> helpers) {
    if (!sole_.is_sole()) {
      description_.notes.emplace_back(
          "another debrief record samples this machine into this folder");
      return;
    }
    record::SamplerOptions sampling;
    sampling.found_gpus = [this](const record::GpuInventory& found) { take_gpus(found); };
    sampling.interval = description_.interval;
    sampling.folder = folder_ / "profiler-output" / "system";
    sampling.node = description_.host;
    sampling.root = root;
    sampling.helpers = std::move(helpers);
    sampler_.emplace(std::move(sampling));
    sampler_->start();
  }

  /// From the sampler's thread, once it knows.
  void take_gpus(const record::GpuInventory& found) {
    const std::lock_guard lock{mutex_};
    if (description_.end) return;
    description_.gpus = found.gpus;
    description_.driver = found.driver;
    add_notes(found.notes);
    write_description();
  }

  void add_notes(const std::vector<std::string>& notes) {
    description_.notes.insert(description_.notes.end(), notes.begin(), notes.end());
  }

  /// Throws nothing: a disk that is full has been told of.
  void copy_failures(const std::optional<record::CommandEnd>& command = {}) const {
    try {
      record::copy_failures(shim_ ? shim_->failures() : fs::path{}, folder_, description_.host,
                            command);
    } catch (const Error&) {
    }
  }

  /// Where no job.json tells it.
  std::optional<record::CommandEnd> failed_end() const {
    const auto& ending = description_.ending;
    if (describes_ || !ending || ending->code == 0 || description_.interrupted) return std::nullopt;
    return record::CommandEnd{command_, record::launched_rank(), *ending};
  }

  record::Environment variables_for_command() const {
    record::Environment existing;
    for (const char* name : {"PYTHONPATH", "DEBRIEF_RECORD_LOG"})
      if (const char* value = std::getenv(name)) existing.emplace_back(name, value);
    record::Environment variables;
    if (shim_) variables = shim_->environment(existing);
    if (traces_) {
      const auto of_traces = traces_->environment();
      variables.insert(variables.end(), of_traces.begin(), of_traces.end());
    }
    return variables;
  }

  record::TraceDaemon::Options trace_options() const {
    record::TraceDaemon::Options chosen;
    if (!options_.trace.empty()) chosen.windows = record::parse_trace_windows(options_.trace);
    chosen.asked = !options_.trace.empty();
    if (shim_) chosen.shim_log = shim_->log();
    return chosen;
  }

  void finish() noexcept {
    attempt([&] {
      if (sampler_) sampler_->stop();
    });
    attempt([&] {
      if (looks_) looks_->finish();
    });
    attempt([&] {
      if (traces_) traces_->stop();
    });
    attempt([&] {
      if (shim_) shim_->finish();
    });
    attempt([&] { copy_failures(failed_end()); });
    attempt([&] { describe_end(); });
    mark_end();
    attempt([&] {
      if (options_.quiet) return;
      for (std::size_t i = notes_said_; i < description_.notes.size(); ++i)
        print_note(description_.notes[i]);
    });
    attempt([&] { report(); });
  }

  void describe_end() {
    const std::lock_guard lock{mutex_};
    if (sampler_) add_notes(sampler_->notes());
    if (shim_) add_notes(shim_->notes());
    if (traces_) add_notes(traces_->notes());
    if (looks_) add_notes(looks_->notes());
    description_.end = time_now();
    write_description();
  }

  /// Of ranks that share a folder, the first describes the job and reports on it.
  void write_description() {
    if (!describes_) return;
    try {
      write_file((folder_ / kJobFile).string(), record::to_job_json(description_));
    } catch (const std::exception& error) {
      description_.notes.emplace_back(error.what());
    }
  }

  /// As SageMaker marks the end of a job, for readers that wait for it.
  void mark_end() const {
    if (!describes_ || !sampler_) return;
    try {
      write_file((folder_ / "profiler-output" / "system" / "training_job_end.ts").string(), "");
    } catch (const std::exception&) {
      // A disk that is full has been told of.
    }
  }

  void report() const {
    if (!describes_) return;
    if (options_.no_report) {
      if (!options_.quiet)
        print_to_stderr(fmt::format("recorded: {}\n", printable(folder_.string())));
      return;
    }
    std::vector<std::string> words{"/proc/self/exe", "report", folder_.string(), "-o",
                                   (folder_ / "report.html").string()};
    for (std::string& word : report_options_of(options_.rules))
      words.push_back(std::move(word));
    if (options_.quiet) words.emplace_back("--quiet");
    // A program of its own: whatever it meets, the command's exit code is what this one ends with.
    record::Command reporting{words, {}, {.out = STDERR_FILENO}};
    if (reporting.wait().code != 0 && !options_.quiet)
      print_note(
          fmt::format("no report was made; try 'debrief report {}'", printable(folder_.string())));
  }

  int refuse(record::Command& command) const {
    print_error(fmt::format("{}: cannot be run ({}); check its name and its permissions",
                            printable(description_.command.front()),
                            std::strerror(command.refusal())),
                wants_color(false, STDERR_FILENO));
    return command.wait().code;
  }

  const RecordOptions& options_;
  std::mutex mutex_; ///< of the description, while the sampler runs
  record::Description description_;
  RecordFolder& job_;
  fs::path folder_;        ///< the job's
  std::size_t notes_said_; ///< of the description's
  pid_t command_ = 0;      ///< the process that has ended
  bool describes_;
  record::SoleRecorder sole_;
  std::optional<record::Sampler> sampler_;
  std::optional<record::RecorderFolder> place_; ///< of shim and traces
  std::optional<record::StepShim> shim_;
  std::optional<record::TraceDaemon> traces_;
  std::shared_ptr<record::Helpers> helpers_ = std::make_shared<record::Helpers>();
  std::optional<LiveLooks> looks_;
};

std::vector<std::string> command_of_process(int pid) {
  record::Scratch scratch(record::kScratchBytes);
  const record::ProcFile file{fmt::format("/proc/{}/cmdline", pid)};
  std::string_view text = file.read(scratch);
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

ExitCode run_record(const RecordOptions& options) {
  check_record(options);
  const LoadedConfig config = options.rules.config(/*quiet=*/true);
  actions::Plan plan = plan_of(options, config);
  record::Description description;
  description.interval = interval_of(options);
  description.command = options.pid > 0 ? command_of_process(options.pid) : options.command;
  description.name =
      options.name.empty() ? record::name_of_command(description.command) : options.name;
  description.host = record::node_name();
  description.cores = allowed_cores();
  description.commit = record::git_commit(".");
  description.environment = record::known_environment();
  description.start = time_now();
  RecordFolder folder{wanted_folder(options, safe_file_name(description.name, "job")),
                      shares_folder()};
  if (std::string note = left_out_of_recording(options, config); !note.empty())
    description.notes.push_back(std::move(note));
  record::hold_signals();
  Recording recording{options, std::move(description), folder, std::move(plan), config.permission};
  return static_cast<ExitCode>(recording.run());
}

} // namespace

Run add_record(CLI::App& app, std::vector<std::string> command) {
  auto* subcommand =
      app.add_subcommand("record", "Run a command, record its machine, and report on it");
  auto options = std::make_shared<RecordOptions>();
  options->command = std::move(command);
  add_options(*subcommand, *options);
  return [options] { return run_record(*options); };
}

} // namespace debrief::cli

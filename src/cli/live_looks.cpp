#include "cli/live_looks.h"

#include "cli/terminal.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <filesystem>
#include <thread>
#include <utility>

namespace debrief::cli {

namespace {

using std::chrono::milliseconds;

/// While something is under way, or GPUs are watched.
constexpr milliseconds kShortWait{250};
constexpr milliseconds kLongWait{5000};
/// A look that takes longer is given up.
constexpr std::chrono::minutes kMostOfLook{10};
/// How long programs that actions run may take after the command's end.
constexpr std::chrono::seconds kProgramPatience{20};
/// What job.json keeps of a reason, in bytes.
constexpr std::size_t kLongestWhy = 400;
constexpr const char* kUnderWay = "under way";
constexpr const char* kDone = "done";

Microseconds wall_clock() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string all_of(int file) {
  std::string text;
  std::array<char, 4096> part{};
  ssize_t got = 0;
  for (off_t at = 0; (got = ::pread(file, part.data(), part.size(), at)) > 0; at += got)
    text.append(part.data(), static_cast<std::size_t>(got));
  return text;
}

/// What happens, in words, before it does: "stopping the command".
std::string intent_of(const actions::Action& action) {
  switch (action.what) {
  case actions::Action::What::stop:
    return "stopping the command";
  case actions::Action::What::webhook:
    return "calling the webhook";
  case actions::Action::What::email:
    return "sending mail";
  case actions::Action::What::run:
    return "running a program";
  }
  return "";
}

std::string words_of(const record::Ending& ending) {
  if (ending.signal) return fmt::format("ended by signal {}", *ending.signal);
  return ending.code == 0 ? kDone : fmt::format("ended with exit code {}", ending.code);
}

} // namespace

LiveLooks::LiveLooks(LiveOptions options)
    : options_(std::move(options))
    , observer_(options_.plan.triggers)
    , next_look_(Clock::now() + options_.every) {
  if (options_.plan.sends()) outbox_.emplace(options_.plan.mail);
}

LiveLooks::~LiveLooks() {
  if (answer_ >= 0) ::close(answer_);
}

void LiveLooks::begin(pid_t command, std::shared_ptr<record::Helpers> helpers) {
  command_ = command;
  helpers_ = std::move(helpers);
}

milliseconds LiveLooks::look() {
  try {
    return act();
  } catch (const std::exception&) {
    out_of_resources_ = true;
    return kLongWait;
  }
}

void LiveLooks::child_ended(pid_t pid, int status, const rusage& used) {
  try {
    take_child(pid, status, used);
  } catch (const std::exception&) {
    out_of_resources_ = true;
  }
}

milliseconds LiveLooks::act() {
  const Clock::time_point now = Clock::now();
  if (stopping_ != nullptr) stopping_->look();
  if (outbox_) collect_deliveries();
  if (observer_.awaits_idle_gpus() && stopping_ == nullptr)
    if (const auto idle = options_.gpus_idle_for()) take(observer_.see_idle_gpus(*idle));
  if (look_ != 0 && now - look_began_ > kMostOfLook) ::kill(look_, SIGKILL);
  if (look_ == 0 && now >= next_look_) start_look();
  if (look_ != 0 || stopping_ != nullptr || !options_.plan.triggers.empty()) return kShortWait;
  return std::clamp(std::chrono::duration_cast<milliseconds>(next_look_ - now), kShortWait,
                    kLongWait);
}

void LiveLooks::start_look() {
  const Clock::time_point now = Clock::now();
  next_look_ = now + options_.every;
  options_.before_look();
  if (answer_ >= 0) ::close(answer_);
  answer_ = ::memfd_create("debrief-look", MFD_CLOEXEC);
  if (answer_ < 0) {
    ++failed_looks_;
    return;
  }
  std::vector<std::string> words{"/proc/self/exe",
                                 "watch",
                                 options_.job,
                                 "--once",
                                 "--quiet",
                                 "--every",
                                 fmt::format("{}ms", options_.every.count()),
                                 "--findings",
                                 "-",
                                 "-o",
                                 options_.page.empty() ? "/dev/null" : options_.page};
  words.insert(words.end(), options_.report_options.begin(), options_.report_options.end());
  look_ = helpers_->add([&] {
    return record::Command{words, {}, {.out = answer_, .mute = true, .aside = true}}.pid();
  });
  look_began_ = now;
  if (look_ == 0) ++failed_looks_;
}

void LiveLooks::end_look(int status) {
  look_ = 0;
  const auto findings = record::ending_of(status).code == 0
                            ? actions::parse_look_text(all_of(answer_))
                            : std::nullopt;
  if (!findings) {
    ++failed_looks_;
    return;
  }
  ++good_looks_;
  if (stopping_ == nullptr) take(observer_.see_findings(*findings, Clock::now()));
}

void LiveLooks::take_child(pid_t pid, int status, const rusage& used) {
  helpers_->remove(pid, used);
  if (pid == look_) {
    end_look(status);
    return;
  }
  const auto program = std::find_if(programs_.begin(), programs_.end(),
                                    [&](const Program& one) { return one.pid == pid; });
  if (program == programs_.end()) return; // an orphan of the command's
  end_action(program->action, words_of(record::ending_of(status)));
  programs_.erase(program);
}

void LiveLooks::take(const std::vector<actions::DueTrigger>& due) {
  for (const actions::DueTrigger& one : due)
    take(observer_.triggers()[one.trigger], one.why);
}

void LiveLooks::take(const actions::Trigger& trigger, const std::string& why) {
  const std::size_t action = taken_.size();
  taken_.push_back({wall_clock(), trigger.condition.text, actions::name_of(trigger.action.what),
                    cut_off(why, kLongestWhy), kUnderWay});
  options_.took(taken_);
  if (!options_.quiet)
    print_note(fmt::format("{}: {}, since {}", printable(trigger.condition.text),
                           intent_of(trigger.action), printable(why)));
  std::error_code error;
  const std::string page =
      options_.page.empty() ? "" : std::filesystem::absolute(options_.page, error).string();
  const actions::Event event{options_.name,      options_.host, trigger.condition.text,
                             taken_[action].why, page,          taken_[action].time};
  switch (trigger.action.what) {
  case actions::Action::What::stop:
    if (stopping_ != nullptr) {
      end_action(action, "the command was being stopped already");
      break;
    }
    stop_action_ = action;
    stopping_ = std::make_unique<record::Stopping>(command_, trigger.action.grace, helpers_);
    break;
  case actions::Action::What::webhook:
  case actions::Action::What::email:
    outbox_->send(trigger.action, event, action);
    break;
  case actions::Action::What::run:
    run(trigger, event, action);
    break;
  }
}

void LiveLooks::run(const actions::Trigger& trigger, const actions::Event& event,
                    std::size_t action) {
  const std::string refusal =
      trigger.of_config ? options_.permission.refusal_of({trigger.action.target}) : "";
  if (!refusal.empty()) {
    end_action(action, "not run: " + refusal);
    return;
  }
  const record::Environment variables{
      {"DEBRIEF_JOB", event.job},
      {"DEBRIEF_HOST", event.host},
      {"DEBRIEF_CONDITION", event.condition},
      {"DEBRIEF_WHY", printable(event.why)},
      {"DEBRIEF_REPORT", event.report},
      {"DEBRIEF_PID", std::to_string(command_)},
  };
  const pid_t program = helpers_->add([&] {
    return record::Command{
        {"/bin/sh", "-c", trigger.action.target}, variables, {.out = STDERR_FILENO, .aside = true}}
        .pid();
  });
  if (program == 0)
    end_action(action, "/bin/sh cannot be run");
  else
    programs_.push_back({program, action});
}

void LiveLooks::collect_deliveries() {
  for (actions::Delivery& delivery : outbox_->deliveries())
    end_action(delivery.number, delivery.trouble.empty() ? kDone : std::move(delivery.trouble));
}

void LiveLooks::end_action(std::size_t action, std::string outcome) {
  taken_[action].outcome = cut_off(std::move(outcome), kLongestWhy);
  options_.took(taken_);
}

void LiveLooks::wait_for_programs() {
  const Clock::time_point deadline = Clock::now() + kProgramPatience;
  while (!programs_.empty() && Clock::now() < deadline) {
    int status = 0;
    rusage used{};
    const pid_t ended = ::wait4(-1, &status, WNOHANG, &used);
    if (ended > 0)
      child_ended(ended, status, used);
    else
      std::this_thread::sleep_for(kShortWait / 5);
  }
  for (const Program& program : programs_)
    end_action(program.action, "it runs on after the command's end");
}

void LiveLooks::finish() {
  if (look_ != 0) { // the final report is made next
    ::kill(look_, SIGTERM);
    ::waitpid(look_, nullptr, 0);
    look_ = 0;
  }
  if (stopping_ != nullptr) {
    stopping_->end_rest();
    end_action(stop_action_, stopping_->killed()
                                 ? "done; it took SIGKILL, since SIGTERM had not ended it"
                                 : kDone);
  }
  wait_for_programs();
  if (outbox_) {
    outbox_->wait();
    collect_deliveries();
  }
}

std::vector<std::string> LiveLooks::notes() const {
  std::vector<std::string> out;
  if (out_of_resources_)
    out.emplace_back("the system refused memory or a thread to --live and --on while the command "
                     "ran, so something may have been left out");
  if (good_looks_ == 0 && failed_looks_ > 0)
    out.push_back(fmt::format("{} at the running job failed, so --live and --on had no effect; try "
                              "'debrief watch' on a job that runs",
                              count_of(failed_looks_, "look")));
  for (const record::TakenAction& taken : taken_)
    if (taken.outcome != kDone && taken.action != "stop")
      out.push_back(fmt::format("the action {} of '{}' failed: {}", taken.action, taken.condition,
                                taken.outcome));
  return out;
}

} // namespace debrief::cli

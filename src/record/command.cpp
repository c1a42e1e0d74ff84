#include "record/command.h"

#include "util/pending_file.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace debrief::record {

namespace {

constexpr std::array kPassedOn{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr int kNotFound = 127;
constexpr int kCannotRun = 126;
constexpr int kEndedBySignal = 128;
constexpr timespec kProcessLooks{0, 100'000'000};

/// As it was before hold_signals().
sigset_t original_mask;
bool mask_is_known = false;

sigset_t held_signals() {
  sigset_t held;
  ::sigemptyset(&held);
  for (const int signal : kPassedOn)
    ::sigaddset(&held, signal);
  ::sigaddset(&held, SIGCHLD);
  return held;
}

/// What a terminal sends goes to the command as well, which is of the same process group. What a
/// person or a scheduler sends to this process goes to it alone.
bool is_for_the_group(const siginfo_t& info) {
  return info.si_code == SI_KERNEL;
}

/// A command that was asked to end may take its time: it saves a checkpoint. What happens later has
/// other reasons.
constexpr std::chrono::minutes kMostToEnd{10};

bool asks_for_an_end(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

/// Of the signals that wait to be looked at: a terminal sends them to the command as well, which
/// may have ended by then.
std::optional<int> pending_request() {
  sigset_t pending;
  ::sigemptyset(&pending);
  ::sigpending(&pending);
  for (const int signal : kPassedOn)
    if (asks_for_an_end(signal) && ::sigismember(&pending, signal) == 1) return signal;
  return std::nullopt;
}

timespec to_timespec(std::chrono::milliseconds time) {
  constexpr std::int64_t kPerSecond = 1000;
  return {time.count() / kPerSecond, time.count() % kPerSecond * 1'000'000};
}

/// In the child, where a failure is nothing to speak of.
void step_aside() {
  ::setpgid(0, 0);
  ::setpriority(PRIO_PROCESS, 0, 19);
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::write(file, "1000", 4));
  ::close(file);
}

} // namespace

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) return {kEndedBySignal + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), std::nullopt};
}

void hold_signals() {
  ::signal(SIGCHLD, SIG_DFL); // one that is ignored would leave nothing to wait for
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t held = held_signals();
  ::sigprocmask(SIG_BLOCK, &held, mask_is_known ? nullptr : &original_mask);
  mask_is_known = true;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Command::Command(const std::vector<std::string>& words, const Environment& environment,
                 const CommandOptions& options) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> trouble{-1, -1}; // what exec says; it closes where that succeeds
  if (::pipe2(trouble.data(), O_CLOEXEC) != 0) {
    refusal_ = errno;
    return;
  }
  const pid_t child = ::fork();
  if (child == 0) become(arguments, environment, options, trouble[1]);
  const int failure = errno;
  ::close(trouble[1]);
  if (child < 0) {
    refusal_ = failure;
  } else {
    pid_ = child;
    int code = 0;
    ssize_t got = 0;
    while ((got = ::read(trouble[0], &code, sizeof code)) < 0 && errno == EINTR) {
    }
    if (got == static_cast<ssize_t>(sizeof code)) {
      refusal_ = code;
      ::waitpid(child, nullptr, 0);
      pid_ = 0;
    }
  }
  ::close(trouble[0]);
}

void Command::become(const std::vector<char*>& arguments, const Environment& environment,
                     const CommandOptions& options, int trouble) {
  for (const auto& [name, value] : environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  if (options.out >= 0) ::dup2(options.out, STDOUT_FILENO);
  if (options.mute)
    if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0)
      ::dup2(nowhere, STDERR_FILENO);
  if (options.aside) step_aside();
  restore_signals();
  if (mask_is_known) ::sigprocmask(SIG_SETMASK, &original_mask, nullptr);
  ::execvp(arguments.front(), arguments.data());
  const int code = errno;
  static_cast<void>(!::write(trouble, &code, sizeof code));
  ::_exit(kNotFound);
}

Ending Command::wait(Meanwhile* meanwhile) {
  if (refusal_ != 0) return {refusal_ == ENOENT ? kNotFound : kCannotRun, std::nullopt};
  const sigset_t held = held_signals();
  using Clock = std::chrono::steady_clock;
  std::optional<int> asked;
  Clock::time_point when_asked;
  for (;;) {
    int status = 0;
    pid_t ended = 0;
    rusage used{};
    while ((ended = ::wait4(-1, &status, WNOHANG, &used)) > 0) {
      if (ended == pid_) {
        Ending ending = ending_of(status);
        ending.asked = pending_request();
        if (!ending.asked && asked && Clock::now() - when_asked < kMostToEnd) ending.asked = asked;
        return ending;
      }
      if (meanwhile != nullptr) meanwhile->child_ended(ended, status, used);
    }
    if (ended < 0 && errno == ECHILD) return {kCannotRun, std::nullopt}; // somebody else waited
    siginfo_t info{};
    int signal = 0;
    if (meanwhile != nullptr) {
      const timespec time = to_timespec(meanwhile->look());
      signal = ::sigtimedwait(&held, &info, &time);
    } else {
      signal = ::sigwaitinfo(&held, &info);
    }
    if (asks_for_an_end(signal)) {
      asked = signal;
      when_asked = Clock::now();
    }
    if (signal > 0 && signal != SIGCHLD && !is_for_the_group(info)) ::kill(pid_, signal);
  }
}

bool wait_for_process(pid_t pid, Meanwhile* meanwhile) {
  const sigset_t held = held_signals();
  for (;;) {
    if (meanwhile != nullptr) {
      int status = 0;
      rusage used{};
      for (pid_t ended = 0; (ended = ::wait4(-1, &status, WNOHANG, &used)) > 0;)
        meanwhile->child_ended(ended, status, used);
      meanwhile->look();
    }
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    siginfo_t info{};
    const int signal = ::sigtimedwait(&held, &info, &kProcessLooks);
    if (asks_for_an_end(signal)) return false;
  }
}

} // namespace debrief::record

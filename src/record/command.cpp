#include "record/command.h"

#include "util/pending_file.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
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

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) return {kEndedBySignal + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), std::nullopt};
}

} // namespace

void hold_signals() {
  ::signal(SIGCHLD, SIG_DFL); // one that is ignored would leave nothing to wait for
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t held = held_signals();
  ::sigprocmask(SIG_BLOCK, &held, mask_is_known ? nullptr : &original_mask);
  mask_is_known = true;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Command::Command(const std::vector<std::string>& words, const Environment& environment, int out) {
  std::array<int, 2> trouble{-1, -1}; // what exec says; it closes where that succeeds
  if (::pipe2(trouble.data(), O_CLOEXEC) != 0) {
    refusal_ = errno;
    return;
  }
  const pid_t child = ::fork();
  if (child == 0) become(words, environment, out, trouble[1]);
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

void Command::become(const std::vector<std::string>& words, const Environment& environment, int out,
                     int trouble) const {
  for (const auto& [name, value] : environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  if (out >= 0) ::dup2(out, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  restore_signals();
  if (mask_is_known) ::sigprocmask(SIG_SETMASK, &original_mask, nullptr);
  ::execvp(arguments.front(), arguments.data());
  const int code = errno;
  static_cast<void>(!::write(trouble, &code, sizeof code));
  ::_exit(kNotFound);
}

Ending Command::wait() {
  if (refusal_ != 0) return {refusal_ == ENOENT ? kNotFound : kCannotRun, std::nullopt};
  const sigset_t held = held_signals();
  for (;;) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0)
      if (ended == pid_) return ending_of(status);
    if (ended < 0 && errno == ECHILD) return {kCannotRun, std::nullopt}; // somebody else waited
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&held, &info);
    if (signal > 0 && signal != SIGCHLD && !is_for_the_group(info)) ::kill(pid_, signal);
  }
}

bool wait_for_process(pid_t pid) {
  const sigset_t held = held_signals();
  for (;;) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    siginfo_t info{};
    const int signal = ::sigtimedwait(&held, &info, &kProcessLooks);
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT)
      return false;
  }
}

} // namespace debrief::record

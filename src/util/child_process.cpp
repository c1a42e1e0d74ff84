#include "util/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <thread>
#include <utility>

namespace debrief {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxComplaints = 4096;
constexpr milliseconds kShortWait{5};
constexpr milliseconds kLongWait{50}; ///< how late an end is noticed whose pipes others hold open

constexpr std::size_t kMaxGroups = 256; // more than run at once
std::array<std::atomic<pid_t>, kMaxGroups> groups{};
std::atomic<int> starting =
    0; ///< children that run, or soon will, and are not among the groups yet

/// While a child is started, this thread takes no signal, and a handler on another one waits: no
/// signal comes between a child's start and its place among the groups.
class Starting {
public:
  Starting() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    ++starting;
  }

  ~Starting() {
    --starting;
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;

private:
  sigset_t before_{};
};

/// Tells the handler of signals about a process group while it lives.
class KnownGroup {
public:
  explicit KnownGroup(pid_t group) {
    for (std::atomic<pid_t>& place : groups) {
      pid_t none = 0;
      if (!place.compare_exchange_strong(none, group)) continue;
      place_ = &place;
      break;
    }
  }

  ~KnownGroup() {
    if (place_ != nullptr) *place_ = 0;
  }

  KnownGroup(const KnownGroup&) = delete;
  KnownGroup& operator=(const KnownGroup&) = delete;

private:
  std::atomic<pid_t>* place_ = nullptr;
};

/// A pipe from the child: its end here never blocks.
class Pipe {
public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) == 0) ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }

  ~Pipe() {
    for (const int end : ends_)
      if (end >= 0) ::close(end);
  }

  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return ends_[0] >= 0; }

  int here() const { return ends_[0]; }

  int there() const { return ends_[1]; }

  void close_there() {
    ::close(ends_[1]);
    ends_[1] = -1;
  }

  /// Hands over what has come; closes at the end of all.
  template <typename Take>
  void read(const Take& take) {
    std::array<char, 65536> part{};
    while (is_open()) {
      const ssize_t got = ::read(ends_[0], part.data(), part.size());
      if (got > 0 && take(std::string_view{part.data(), static_cast<std::size_t>(got)})) continue;
      if (got < 0 && errno == EINTR) continue;
      if (got > 0 || (got < 0 && errno == EAGAIN)) return;
      ::close(ends_[0]);
      ends_[0] = -1;
    }
  }

private:
  std::array<int, 2> ends_{-1, -1};
};

/// What a child is started with; freed in the end.
class SpawnPlan {
public:
  SpawnPlan(const std::string& folder, const Pipe& out, const Pipe& complaints) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, out.there(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, complaints.there(), STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                 POSIX_SPAWN_SETSIGMASK);
  }

  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// An errno; 0: it runs.
  int start(const std::vector<std::string>& words, pid_t& pid) const {
    std::vector<std::string> copy = words; // the system wants them writable
    std::vector<char*> arguments;
    for (std::string& word : copy)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return ::posix_spawnp(&pid, arguments.front(), &actions_, &attributes_, arguments.data(),
                          environ);
  }

private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// It stays a zombie, so that its number is nobody else's.
bool has_ended(pid_t pid) {
  siginfo_t info{};
  const int code = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return code != 0 ? errno != EINTR : info.si_pid == pid;
}

/// Listens until the child ends, or goes beyond a limit.
class Listening {
public:
  Listening(pid_t pid, Pipe& out, Pipe& complaints, const ChildLimits& limits)
      : pid_(pid)
      , out_(out)
      , complaints_(complaints)
      , limits_(limits)
      , deadline_(Clock::now() + limits.time) {}

  /// `code` is not yet known.
  ChildOutcome listen() {
    for (;;) {
      const bool ended = has_ended(pid_); // before the last read: what it wrote is there by then
      take_what_came();
      if (heard_.output.size() > limits_.output) return stop(ChildOutcome::End::too_much);
      if (ended) return std::move(heard_);
      if (Clock::now() >= deadline_) return stop(ChildOutcome::End::too_long);
      wait();
    }
  }

private:
  void take_what_came() {
    out_.read([&](std::string_view part) {
      heard_.output += part;
      return heard_.output.size() <= limits_.output;
    });
    complaints_.read([&](std::string_view part) {
      std::string& last = heard_.complaints;
      last += part;
      if (last.size() > kMaxComplaints) last.erase(0, last.size() - kMaxComplaints);
      return true;
    });
  }

  void wait() const {
    std::array<pollfd, 2> pipes{{{out_.here(), POLLIN, 0}, {complaints_.here(), POLLIN, 0}}};
    const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
    const bool silent = !out_.is_open() && !complaints_.is_open(); // it ends, most likely
    const milliseconds most = std::clamp(left, milliseconds{1}, silent ? kShortWait : kLongWait);
    ::poll(pipes.data(), pipes.size(), static_cast<int>(most.count()));
  }

  ChildOutcome stop(ChildOutcome::End why) {
    ::kill(-pid_, SIGTERM);
    const Clock::time_point last = Clock::now() + limits_.grace;
    while (!has_ended(pid_) && Clock::now() < last)
      std::this_thread::sleep_for(kShortWait);
    take_what_came();
    heard_.end = why;
    return std::move(heard_);
  }

  pid_t pid_;
  Pipe& out_;
  Pipe& complaints_;
  const ChildLimits& limits_;
  Clock::time_point deadline_;
  ChildOutcome heard_;
};

} // namespace

ChildOutcome run_child(const std::vector<std::string>& words, const std::string& folder,
                       const ChildLimits& limits) {
  Pipe out;
  Pipe complaints;
  if (!out.is_open() || !complaints.is_open())
    return {ChildOutcome::End::not_started, errno, {}, {}};
  ::signal(SIGCHLD, SIG_DFL); // where it is ignored, nobody learns how a child ended
  pid_t pid = 0;
  std::optional<Starting> start{std::in_place};
  if (const int refusal = SpawnPlan{folder, out, complaints}.start(words, pid); refusal != 0)
    return {ChildOutcome::End::not_started, refusal, {}, {}};
  const KnownGroup known{pid};
  start.reset();
  out.close_there();
  complaints.close_there();
  ChildOutcome outcome = Listening{pid, out, complaints, limits}.listen();
  ::kill(-pid, SIGKILL); // also what it left behind
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (outcome.end != ChildOutcome::End::exited) return outcome;
  if (WIFSIGNALED(status)) outcome.end = ChildOutcome::End::killed;
  outcome.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return outcome;
}

void kill_children() {
  constexpr int kPatience = 1000; // milliseconds: longer than any start
  for (int tries = 0; starting > 0 && tries < kPatience; ++tries)
    ::poll(nullptr, 0, 1);
  for (const std::atomic<pid_t>& group : groups)
    if (const pid_t pid = group; pid != 0) ::kill(-pid, SIGKILL);
}

} // namespace debrief

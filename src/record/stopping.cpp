#include "record/stopping.h"

#include "record/proc_file.h"
#include "record/process_stat.h"

#include <fmt/format.h>

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace debrief::record {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

std::optional<ProcessStat> stat_of(pid_t pid) {
  Scratch scratch(kScratchBytes);
  const ProcFile file{fmt::format("/proc/{}/stat", pid)};
  return parse_process_stat(file.read(scratch));
}

std::map<pid_t, ProcessStat> all_processes() {
  std::map<pid_t, ProcessStat> all;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return all;
  while (const dirent* entry = ::readdir(folder))
    if (const auto pid = to_number(entry->d_name))
      if (const auto stat = stat_of(static_cast<pid_t>(*pid)))
        all.emplace(static_cast<pid_t>(*pid), *stat);
  ::closedir(folder);
  return all;
}

} // namespace

Stopping::Stopping(pid_t command, std::chrono::milliseconds grace,
                   std::shared_ptr<const Helpers> helpers)
    : command_(command)
    , deadline_(Clock::now() + grace)
    , helpers_(std::move(helpers)) {
  note_descendants();
  ::kill(command_, SIGTERM);
}

/// Orphans of the command are children of this process.
void Stopping::note_descendants() {
  const std::map<pid_t, ProcessStat> all = all_processes();
  const auto is_known = [&](pid_t pid) {
    return std::any_of(tree_.begin(), tree_.end(),
                       [&](const Process& process) { return process.pid == pid; });
  };
  for (bool found = true; found;) { // a child may have a smaller number than its parent
    found = false;
    for (const auto& [pid, stat] : all) {
      const bool orphan = stat.parent == ::getpid() && !helpers_->contains(pid);
      if (is_known(pid) || (pid != command_ && !orphan && !is_known(stat.parent))) continue;
      tree_.push_back({pid, stat.start});
      found = true;
    }
  }
}

void Stopping::signal_all(int signal) const {
  for (const Process& process : tree_)
    if (const auto stat = stat_of(process.pid); stat && stat->start == process.start)
      ::kill(process.pid, signal);
}

bool Stopping::any_lives() const {
  return std::any_of(tree_.begin(), tree_.end(), [](const Process& process) {
    const auto stat = stat_of(process.pid);
    return stat && stat->start == process.start && !stat->ended;
  });
}

void Stopping::look() {
  if (killed_ || Clock::now() < deadline_) return;
  note_descendants();
  signal_all(SIGKILL);
  killed_ = true;
}

void Stopping::end_rest() {
  if (!any_lives()) return;
  if (!killed_) signal_all(SIGTERM);
  while (any_lives()) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    const bool over = Clock::now() >= deadline_;
    if (over && killed_) return; // one that hangs in a driver cannot be ended
    look();
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

} // namespace debrief::record

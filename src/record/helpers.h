// Processes that this program starts for itself while the command runs, such as one that makes a
// report: they are no part of the command's tree, and neither is their time.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace debrief::record {

/// Shared by the thread that starts them and the one that samples.
class Helpers {
public:
  /// Starts one: `start` returns its number, or 0 where it could not. Who asks contains() meanwhile
  /// waits, so that no helper is taken for an orphan in its first moment.
  template <typename Start>
  pid_t add(const Start& start) {
    const std::lock_guard lock{mutex_};
    const pid_t pid = start();
    if (pid != 0) running_.push_back(pid);
    return pid;
  }

  bool contains(pid_t pid) const {
    const std::lock_guard lock{mutex_};
    return std::find(running_.begin(), running_.end(), pid) != running_.end();
  }

  /// Somebody has waited for it; from here on its number may be another's.
  void remove(pid_t pid, const rusage& used) {
    const std::lock_guard lock{mutex_};
    if (std::erase(running_, pid) == 0) return;
    seconds_ += in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
  }

  /// CPU time of those that have ended: it is in that of this process's children.
  double seconds() const {
    const std::lock_guard lock{mutex_};
    return seconds_;
  }

private:
  static double in_seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }

  mutable std::mutex mutex_;
  std::vector<pid_t> running_;
  double seconds_ = 0;
};

} // namespace debrief::record

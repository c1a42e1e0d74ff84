// Ends a command that was asked to be ended: SIGTERM, some time to save its work, then SIGKILL for
// it and all that descends from it.
#pragma once

#include "record/helpers.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace debrief::record {

class Stopping {
public:
  using Clock = std::chrono::steady_clock;

  /// Sends SIGTERM.
  Stopping(pid_t command, std::chrono::milliseconds grace, std::shared_ptr<const Helpers> helpers);

  /// Sends SIGKILL once the grace is over; call it now and then while the command runs.
  void look();

  /// Whether SIGKILL was sent.
  bool killed() const { return killed_; }

  /// After the command's end: what it left behind gets SIGTERM, and SIGKILL once the grace is over.
  /// Processes that are children of this one by then are waited for.
  void end_rest();

private:
  struct Process {
    pid_t pid = 0;
    std::uint64_t start = 0; ///< ticks since boot: two processes of one number differ in it
  };

  void note_descendants();
  void signal_all(int signal) const;
  bool any_lives() const;

  pid_t command_;
  Clock::time_point deadline_;
  std::shared_ptr<const Helpers> helpers_;
  std::vector<Process> tree_; ///< with the command, all that were seen
  bool killed_ = false;
};

} // namespace debrief::record

// Another program, run to its end: for how long at most, and how much it may say. It runs in a
// process group with all that it starts, and nothing of that group outlives the call, nor this
// program's own end by a signal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace debrief {

struct ChildLimits {
  std::chrono::milliseconds time{30'000};
  std::chrono::milliseconds grace{2'000};     ///< from SIGTERM to SIGKILL
  std::size_t output = std::size_t{1} << 20U; ///< bytes on its standard output
};

struct ChildOutcome {
  enum class End {
    exited,      ///< `code` is the exit code
    killed,      ///< `code` is the signal
    too_long,    ///< it was stopped
    too_much,    ///< it wrote too much, and was stopped
    not_started, ///< `code` is an errno
  };

  End end = End::exited;
  int code = 0;
  std::string output = {};     ///< what it wrote to its standard output
  std::string complaints = {}; ///< the last of what it wrote to its standard error
};

/// `words` are the program, which is looked for in PATH where it has no '/', and its arguments. It
/// runs in `folder` (empty: in the current one), with this program's environment and an empty
/// standard input.
ChildOutcome run_child(const std::vector<std::string>& words, const std::string& folder,
                       const ChildLimits& limits);

/// Kills all that run_child() started; for a handler of signals.
void kill_children();

} // namespace debrief

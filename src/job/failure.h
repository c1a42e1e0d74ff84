// How a job, or one of its processes, came to a bad end: the exception that ended it, its exit code
// or the signal that killed it. Never source text or values of variables. All of it is untrusted.
#pragma once

#include "util/time.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

/// A call that was going on where an exception was raised.
struct Frame {
  /// Relative to the working folder, site-packages or the standard library, else the name alone.
  std::string file;
  std::int64_t line = 0; ///< 0: not known
  std::string function;
  bool of_library = false; ///< Python's own or an installed package's, not the job's

  auto operator<=>(const Frame&) const = default;
};

/// What is kept of a message: its first line, and no more bytes than this.
inline constexpr std::size_t kLongestFailureMessage = 300;
/// Of a traceback, the last calls.
inline constexpr std::size_t kMostFrames = 20;
/// Of a job; ranks beyond it fail for the same reason.
inline constexpr std::size_t kMostFailures = 1024;

struct Failure {
  std::string type; ///< of the exception: "torch.OutOfMemoryError"; empty: none is known
  std::string message;
  std::vector<Frame> frames; ///< the outermost first
  std::optional<Microseconds> time;
  std::string node;                    ///< empty: not known
  std::optional<std::int64_t> process; ///< its number on the node
  std::optional<std::int64_t> parent;  ///< the number of the process that started it
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> attempt; ///< how often a launcher had started the ranks again
  std::optional<std::int64_t> step;    ///< the training step in which it came
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool ended_command = false; ///< it is that of a recorded command, and no job.json tells of it

  auto operator<=>(const Failure&) const = default;
};

} // namespace debrief::job

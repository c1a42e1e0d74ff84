// Which Python functions a job's processes were in, as the recorder sampled them
// (docs/recording.md). All names are untrusted.
#pragma once

#include "job/string_table.h"
#include "util/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

/// Whose code it is: the job's, an installed package's, or the standard library's.
enum class CodeOrigin : std::uint8_t { own, package, python };

/// A place in the code.
struct StackFrame {
  StringTable::Id function = 0; ///< in PythonStacks::texts, as the file is
  StringTable::Id file = 0;
  std::int64_t line = 0; ///< 0: not known
  CodeOrigin origin = CodeOrigin::own;

  auto operator<=>(const StackFrame&) const = default;
};

/// A stack is its innermost frame and the stack of its caller.
struct CallStack {
  std::int32_t caller = -1; ///< index into PythonStacks::stacks, before this one; -1: none
  std::int32_t frame = 0;   ///< index into PythonStacks::frames

  auto operator<=>(const CallStack&) const = default;
};

/// Frames of one stack; files have no more than 64.
inline constexpr std::int32_t kMostStackFrames = 128;

struct SampledProcess {
  std::string node;                    ///< empty: not known
  std::optional<std::int64_t> process; ///< its number on the node
  std::optional<std::int64_t> parent;  ///< of the process that started it
  std::optional<std::int64_t> rank;
  bool loader_worker = false;
  bool full = false; ///< its file's limit was reached, and it was sampled no longer
  std::optional<Microseconds> interval; ///< mean time between samples, in the end
  std::optional<Microseconds> cpu;      ///< that the sampler took
  std::optional<Microseconds> sampled;  ///< ... in this much time
  std::int64_t threads_left_out = 0;    ///< samples of threads
  std::int64_t frames_left_out = 0;
  std::int64_t stacks_left_out = 0;
};

struct SampledThread {
  std::int32_t process = 0; ///< index into PythonStacks::processes
  std::string name;
  bool is_main = false;
};

/// A row is a run of equal samples of a thread. Rows are ordered by thread, then by start; those of
/// a thread do not overlap.
struct PythonStacks {
  StringTable texts;
  std::vector<StackFrame> frames;
  std::vector<CallStack> stacks;
  std::vector<SampledProcess> processes;
  std::vector<SampledThread> threads;
  std::int64_t processes_left_out = 0;

  std::vector<Microseconds> start;    ///< since the epoch
  std::vector<Microseconds> duration; ///< that the samples stand for; more than 0
  std::vector<Microseconds> waited;   ///< of it, for the interpreter's lock
  std::vector<std::int32_t> thread;   ///< index into `threads`
  std::vector<std::int32_t> stack;    ///< index into `stacks`; -1: not known

  std::size_t size() const { return start.size(); }

  bool empty() const { return processes.empty() && processes_left_out == 0; }

  const SampledProcess& process_of(std::size_t row) const {
    const auto& of = threads[static_cast<std::size_t>(thread[row])];
    return processes[static_cast<std::size_t>(of.process)];
  }
};

} // namespace debrief::job

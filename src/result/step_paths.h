// What the result says of how steps hang together: critical paths, which process takes longest,
// what is computed again, what graphs replay. Durations are microseconds with decimals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// The process that takes longest for a part of its steps, of those that have the most steps.
struct SlowestProcess {
  std::string part; ///< of kStepParts, "step" for all of it, "waiting" for others
  std::string process;
  std::optional<std::int64_t> rank;
  double us = 0;        ///< of it, in the mean of its steps
  double median_us = 0; ///< the median of all processes' means
};

/// A part of a critical path. Parts sum to the path, which is as long as its step.
struct PathPart {
  std::string part; ///< of kPathParts
  double us = 0;
  double percent = 0;
  /// By how much the step would be shorter if all of the part took no time, on the path and beside
  /// it: at most, since then another path is the longest.
  double gain_us = 0;
};

inline constexpr const char* kPathParts[] = {
    "CPU operators", "data loader", "other host code", "runtime calls", "launch", "compute",
    "communication", "copy",        "kernel gaps",     "sync wait"};

/// What the path goes through under one name.
struct PathItem {
  std::string name; ///< of the slice; empty: none, the thread was between operators
  std::string part; ///< of kPathParts
  std::int64_t count = 0;
  double us = 0;
  double percent = 0;
};

/// What a step had to wait for, moment by moment, back from its end: the longest chain of slices
/// that depend on each other.
struct CriticalPath {
  std::string which; ///< as StepView::which
  std::string process;
  std::optional<std::int64_t> number; ///< absent: the whole trace
  double us = 0;                      ///< the step's length
  std::vector<PathPart> parts;        ///< all of kPathParts, in that order
  std::vector<PathItem> items;        ///< most time first; the first kMaxPathItems
};

inline constexpr std::size_t kMaxPathItems = 50;

/// What a process computes again in its backward passes, since it did not keep it (activation
/// checkpointing). Only of processes that do so.
struct Recomputation {
  std::string process;
  std::int64_t operators = 0; ///< calls; those inside of others do not count
  double host_us = 0;         ///< of these operators
  double kernel_us = 0;       ///< of kernels that they launched
  double kernel_percent = 0;  ///< of all kernels of the process
};

/// An operator whose kernels a CUDA graph replays.
struct GraphOperator {
  std::string op;        ///< the innermost around the launch that was captured; empty: none
  std::int64_t work = 0; ///< kernels, copies and sets that were replayed
  double us = 0;
  double percent = 0; ///< of the GPU work of all graph launches
};

/// GPU work that graph launches started, by the operators that were captured: by order, where a
/// capture has as many calls of the same kinds as a launch has work.
struct GraphWork {
  std::int64_t launches = 0;
  std::int64_t captures = 0; ///< in all traces
  std::int64_t work = 0;     ///< kernels, copies and sets
  double us = 0;
  double mapped_us = 0;
  std::vector<GraphOperator> operators; ///< most time first; the first kMaxTraceRows

  bool empty() const { return launches == 0; }
};

} // namespace debrief::result

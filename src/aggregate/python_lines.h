// Which line of Python took the time of any windows.
//
// A stack counts for the job's own code: time in a package or in Python's own library is that of
// the line that called it.
#pragma once

#include "job/python_stacks.h"
#include "result/python_stacks.h"
#include "util/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace debrief::aggregate {

/// Whose stacks.
struct StacksOf {
  std::string_view node = {};               ///< empty: all nodes
  std::optional<std::int64_t> process = {}; ///< its number on the node; absent: all of them
  bool loader_workers = false;              ///< instead: those that load data for the process
  /// Only lines that were reached outside of PyTorch's Python code: with an operator that a script
  /// calls itself, but not with a module, an optimizer or a backward pass. Shares are of all.
  bool outside_pytorch = false;
};

/// The line in which the processes' main threads were for most of `windows`, in any order. Nothing
/// where none of that time was sampled.
std::optional<result::PythonLine> top_line(const job::PythonStacks& stacks, const StacksOf& of,
                                           std::span<const TimeSpan> windows);

/// Of the sampled time within `windows`, 0 to 1: the main threads were outside of PyTorch's Python
/// code. Nothing where less than `least` seconds of them were sampled.
std::optional<double> share_outside_pytorch(const job::PythonStacks& stacks,
                                            std::span<const TimeSpan> windows, double least);

} // namespace debrief::aggregate

// Which line of Python took the time: of any windows, and of the whole job by phase.
//
// A stack is told by the job's own code: time in a package or in Python's own library is that of
// the line that called it.
#pragma once

#include "job/events.h"
#include "job/python_stacks.h"
#include "result/python_stacks.h"
#include "result/result.h"
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
};

/// The line in which the processes' main threads were for most of `windows`, in any order. Nothing
/// where none of that time was sampled.
std::optional<result::PythonLine> top_line(const job::PythonStacks& stacks, const StacksOf& of,
                                           std::span<const TimeSpan> windows);

/// By phase: startup, training, evaluation, saving and end, where the job's steps and events tell.
result::PythonStacks python_stacks(const job::PythonStacks& stacks, const job::EventTable& events,
                                   const result::JobSummary& summary);

} // namespace debrief::aggregate

// Frames of sampled stacks: whose they are, what function they belong to, which has the most time.
#pragma once

#include "job/python_stacks.h"
#include "result/python_stacks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace debrief::aggregate {

inline std::size_t as_index(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

/// Frames of a stack, the innermost first.
void list_frames(const job::PythonStacks& stacks, std::int32_t stack,
                 std::vector<std::int32_t>& frames);

result::PythonPlace python_place(const job::PythonStacks& stacks, const job::StackFrame& frame);

/// The innermost frame of the job's own code that has a name, as a place in the list; 0 where there
/// is none.
std::size_t own_place(const job::PythonStacks& stacks, const std::vector<std::int32_t>& frames);

/// Function and file: lines of one function are in several frames.
using FunctionKey = std::tuple<job::StringTable::Id, job::StringTable::Id, job::CodeOrigin>;

inline FunctionKey function_key(const job::StackFrame& frame) {
  return {frame.function, frame.file, frame.origin};
}

/// By seconds, then by name, so that the order is always the same.
class MostTime {
public:
  explicit MostTime(const job::PythonStacks& stacks)
      : stacks_(stacks) {}

  /// The frame that has the most; -1: none has any.
  std::int32_t of(const std::map<std::int32_t, double>& seconds) const;

  bool is_before(std::int32_t a, std::int32_t b) const;

private:
  const job::PythonStacks& stacks_;
};

} // namespace debrief::aggregate

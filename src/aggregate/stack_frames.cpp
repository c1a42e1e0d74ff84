#include "aggregate/stack_frames.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::aggregate {

namespace {

/// "<genexpr>", "<lambda>": part of the function that has it. "<module>" is code outside of any.
bool is_part_of_function(std::string_view function) {
  return function.starts_with('<') && function != "<module>";
}

} // namespace

void list_frames(const job::PythonStacks& stacks, std::int32_t stack,
                 std::vector<std::int32_t>& frames) {
  frames.clear();
  for (; stack >= 0; stack = stacks.stacks[as_index(stack)].caller)
    frames.push_back(stacks.stacks[as_index(stack)].frame);
}

result::PythonPlace python_place(const job::PythonStacks& stacks, const job::StackFrame& frame) {
  return {std::string{stacks.texts[frame.function]}, std::string{stacks.texts[frame.file]},
          frame.line, static_cast<result::CodeOrigin>(frame.origin)};
}

std::size_t own_place(const job::PythonStacks& stacks, const std::vector<std::int32_t>& frames) {
  std::optional<std::size_t> nameless;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const job::StackFrame& frame = stacks.frames[as_index(frames[i])];
    if (frame.origin != job::CodeOrigin::own) continue;
    if (!is_part_of_function(stacks.texts[frame.function])) return i;
    if (!nameless) nameless = i;
  }
  return nameless.value_or(0);
}

std::int32_t MostTime::of(const std::map<std::int32_t, double>& seconds) const {
  std::int32_t best = -1;
  double most = 0;
  for (const auto& [frame, time] : seconds)
    if (best < 0 || time > most || (time == most && is_before(frame, best))) {
      best = frame;
      most = time;
    }
  return best;
}

bool MostTime::is_before(std::int32_t a, std::int32_t b) const {
  const job::StackFrame& one = stacks_.frames[as_index(a)];
  const job::StackFrame& other = stacks_.frames[as_index(b)];
  const auto texts = [&](const job::StackFrame& frame) {
    return std::tuple{stacks_.texts[frame.file], frame.line, stacks_.texts[frame.function],
                      frame.origin};
  };
  return texts(one) < texts(other);
}

} // namespace debrief::aggregate

#include "aggregate/python_lines.h"

#include "aggregate/stack_frames.h"
#include "util/interval_set.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace debrief::aggregate {

namespace {

using job::CodeOrigin;
using job::StackFrame;
using Spans = IntervalSet<Microseconds>;

bool is_sampled_of(const job::SampledProcess& process, const StacksOf& of) {
  if (process.loader_worker != of.loader_workers) return false;
  if (!of.node.empty() && !process.node.empty() && process.node != of.node) return false;
  return !of.process || (of.loader_workers ? process.parent : process.process) == of.process;
}

/// Whether a stack passes through PyTorch's own code.
bool is_in_pytorch(const job::PythonStacks& stacks, std::int32_t stack) {
  for (; stack >= 0; stack = stacks.stacks[as_index(stack)].caller) {
    const StackFrame& frame = stacks.frames[as_index(stacks.stacks[as_index(stack)].frame)];
    if (frame.origin == CodeOrigin::package && stacks.texts[frame.file].starts_with("torch/"))
      return true;
  }
  return false;
}

/// Seconds of the windows by stack.
struct WindowTime {
  std::map<std::int32_t, double> by_stack;
  double sum = 0;
  Spans sampled;
};

WindowTime window_time(const job::PythonStacks& stacks, const StacksOf& of, const Spans& windows) {
  std::vector<bool> wanted;
  for (const job::SampledThread& thread : stacks.threads)
    wanted.push_back(thread.is_main &&
                     is_sampled_of(stacks.processes[as_index(thread.process)], of));
  WindowTime time;
  std::vector<TimeSpan> sampled;
  for (std::size_t row = 0; row < stacks.size(); ++row) {
    if (!wanted[as_index(stacks.thread[row])]) continue;
    const TimeSpan run{stacks.start[row], stacks.start[row] + stacks.duration[row]};
    for_clipped(windows, run, [&](const TimeSpan& piece) {
      time.by_stack[stacks.stack[row]] += in_seconds(piece.length());
      time.sum += in_seconds(piece.length());
      add_interval(sampled, piece);
    });
  }
  time.sampled = to_set(std::move(sampled));
  if (of.outside_pytorch)
    std::erase_if(time.by_stack,
                  [&](const auto& entry) { return is_in_pytorch(stacks, entry.first); });
  return time;
}

/// Functions that code is in, by the line that has most of their time, with their seconds. Time
/// counts for the innermost function of the job's own code alone.
std::map<std::int32_t, double> time_by_function(const job::PythonStacks& stacks,
                                                const WindowTime& time) {
  std::map<FunctionKey, std::map<std::int32_t, double>> functions;
  std::map<std::int32_t, double> best_lines; // of each function, with the time of all its lines
  std::vector<std::int32_t> frames;
  for (const auto& [stack, seconds] : time.by_stack) {
    list_frames(stacks, stack, frames);
    if (frames.empty()) continue;
    const std::int32_t frame = frames[own_place(stacks, frames)];
    functions[function_key(stacks.frames[as_index(frame)])][frame] += seconds;
  }
  const MostTime most{stacks};
  for (const auto& [key, lines] : functions) {
    double sum = 0;
    for (const auto& [frame, seconds] : lines)
      sum += seconds;
    best_lines.emplace(most.of(lines), sum);
  }
  return best_lines;
}

} // namespace

std::optional<result::PythonLine> top_line(const job::PythonStacks& stacks, const StacksOf& of,
                                           std::span<const TimeSpan> windows) {
  const Spans set = to_set(std::vector<TimeSpan>{windows.begin(), windows.end()});
  const WindowTime time = window_time(stacks, of, set);
  if (!(time.sum > 0)) return std::nullopt;
  const MostTime most{stacks};
  std::map<std::int32_t, double> functions = time_by_function(stacks, time);
  const std::int32_t top = most.of(functions);
  if (top < 0) return std::nullopt;
  const FunctionKey function = function_key(stacks.frames[as_index(top)]);
  double of_line = 0;
  double of_function = 0;
  std::map<std::int32_t, double> callees;
  std::map<std::int32_t, double> leaves;
  std::vector<std::int32_t> frames;
  for (const auto& [stack, seconds] : time.by_stack) {
    list_frames(stacks, stack, frames);
    const auto is_of_function = [&](std::int32_t frame) {
      return function_key(stacks.frames[as_index(frame)]) == function;
    };
    if (std::any_of(frames.begin(), frames.end(), is_of_function)) of_function += seconds;
    if (std::find(frames.begin(), frames.end(), top) == frames.end()) continue;
    of_line += seconds;
    const std::size_t place = own_place(stacks, frames);
    if (place == 0 || frames[place] != top ||
        stacks.frames[as_index(frames[place - 1])].origin == CodeOrigin::own)
      continue;
    callees[frames[place - 1]] += seconds;
    leaves[frames.front()] += seconds;
  }
  const auto frame_place = [&](std::int32_t frame) {
    return frame < 0 ? std::nullopt
                     : std::optional{python_place(stacks, stacks.frames[as_index(frame)])};
  };
  const std::int32_t callee = most.of(callees);
  const std::int32_t leaf = most.of(leaves);
  result::PythonLine line;
  line.place = python_place(stacks, stacks.frames[as_index(top)]);
  line.share = std::min(1.0, of_line / time.sum);
  line.function_share = std::min(1.0, of_function / time.sum);
  line.own_share = std::min(1.0, functions[top] / time.sum);
  functions.erase(top);
  if (const std::int32_t second = most.of(functions); second >= 0) {
    line.second = frame_place(second);
    line.second_share = std::min(1.0, functions[second] / time.sum);
  }
  line.callee = frame_place(callee);
  if (leaf != callee) line.leaf = frame_place(leaf);
  line.sampled =
      std::min(1.0, in_seconds(total_length(time.sampled)) / in_seconds(total_length(set)));
  return line;
}

std::optional<double> share_outside_pytorch(const job::PythonStacks& stacks,
                                            std::span<const TimeSpan> windows, double least) {
  const Spans set = to_set(std::vector<TimeSpan>{windows.begin(), windows.end()});
  const WindowTime time = window_time(stacks, {.outside_pytorch = true}, set);
  if (time.sum < least || time.sum <= 0) return std::nullopt;
  double outside = 0;
  for (const auto& [stack, seconds] : time.by_stack)
    outside += seconds;
  return std::min(1.0, outside / time.sum);
}

} // namespace debrief::aggregate

// What in a step depends on what: moments on CPU threads and GPU streams, and from each the moment
// that it had to wait for last.
//
// After HTA's critical path analysis: nodes are starts and ends of operators, runtime calls and
// GPU work. A thread does one thing after the other, a stream one work after the other; work does
// not start before its launch; a call that synchronizes does not return before the work that it
// waits for ends; work waits for the events that its stream was told to wait for. Beyond HTA, the
// thread that runs the backward pass and the one that waits for it wait for each other, and what
// lies between operators takes time.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace debrief::aggregate {

/// In the order of result::kPathParts.
enum class PathPartKind : std::uint8_t {
  op,
  data_loader,
  other_host,
  runtime,
  launch, ///< from the start of the call to that of the work
  compute,
  communication,
  copy,
  kernel_gap, ///< from the end of the work that it waited for to the start of the next
  sync_wait,  ///< from the end of the work that the host waited for to where its call returned
};

inline constexpr std::size_t kPathPartCount = std::size(result::kPathParts);

struct StepGraph {
  static constexpr std::int32_t kNone = -1;

  struct Node {
    Nanoseconds time{};
    std::int32_t after = kNone; ///< the node that it waited for last; none: where the step begins
    std::int32_t slice = kNone; ///< of the trace, in which the time since `after` was spent
    PathPartKind part = PathPartKind::other_host; ///< what that time was
    std::int8_t rank = 0; ///< among nodes of the same time, those it may depend on have less
  };

  std::vector<Node> nodes;
  /// Other nodes that each has to wait for: {first, then}. They were in time.
  std::vector<std::pair<std::int32_t, std::int32_t>> in_time;
  std::vector<std::int32_t> order; ///< of nodes: each after those that it depends on
  std::int32_t end = kNone;        ///< none: nothing happens in the step
};

/// Of what happens from `begin` to `end`, which is what `step` ends with: where the host ends it,
/// or the GPU. What lies across is cut.
StepGraph step_graph(const TraceIndex& index, const TraceStep& step, Nanoseconds begin,
                     Nanoseconds end);

} // namespace debrief::aggregate

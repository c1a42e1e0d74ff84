// How the slices of a trace hang together: what runs inside of what, which call started which
// kernel, which steps there are. Found once per trace, used by every figure.
#pragma once

#include "job/annotation_names.h"
#include "job/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

/// A profiled step: a "ProfilerStep#N" annotation. Where a trace has none, all of it is one step
/// without a number.
struct TraceStep {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::optional<std::int64_t> number;

  Nanoseconds length() const { return end - start; }
};

struct TraceIndex {
  static constexpr std::int32_t kNone = -1;

  explicit TraceIndex(const job::Trace& trace);

  const job::Trace& trace;
  /// The innermost slice of the same CPU thread (op, annotation, module, runtime) that holds the
  /// whole of it.
  std::vector<std::int32_t> parent;
  /// Of GPU work: the runtime call with the same correlation.
  std::vector<std::int32_t> launch;
  /// Of GPU work: the innermost op around its launch, else the op with the same External id. Of a
  /// runtime call: the innermost op around it.
  std::vector<std::int32_t> op;
  std::vector<TraceStep> steps; ///< by time

  std::string_view name(std::int32_t slice) const {
    return trace.names[trace.slices[static_cast<std::size_t>(slice)].name];
  }
};

/// "nccl:all_reduce", "gloo:broadcast", "c10d::…": annotations around a collective.
bool is_collective_annotation(std::string_view annotation);

/// Kernels that communicate: NCCL's and RCCL's, and those that carry a collective's arguments.
bool is_communication_kernel(std::string_view kernel);

} // namespace debrief::aggregate

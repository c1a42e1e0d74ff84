// How the slices of a trace hang together: what runs inside of what, which call started which
// kernel, what each counts as, which steps there are. Found once per trace, used by every figure.
#pragma once

#include "aggregate/trace/iterations.h"
#include "job/annotation_names.h"
#include "job/trace.h"
#include "util/interval_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

/// What a slice counts as where time is accounted for. In the order of
/// result::kStepParts, whose last, "other", is `none`.
enum class Role : std::uint8_t {
  kernel,        ///< computes
  memcpy,        ///< on the GPU
  memset,        ///< on the GPU
  communication, ///< a kernel that communicates, or a collective that runs on the CPU
  runtime,
  data_loader,
  op,
  none,
};

inline constexpr std::size_t kRoles = static_cast<std::size_t>(Role::none);

/// Looks at each name once, so that asking for a slice costs nothing.
///
/// "nccl:…" annotations on the CPU are no communication: they last as long as the launch, and the
/// kernel that they launch is what communicates.
class Roles {
public:
  explicit Roles(const job::Trace& trace);

  /// Kernels of operators that communicate do, whatever their names; `op` is TraceIndex::op.
  void add_operators(std::span<const std::int32_t> op);

  Role of(std::size_t slice) const;

private:
  bool communicates(std::size_t kernel) const;

  const job::Trace& trace_;
  std::vector<Role> kernels_;     ///< by name: kernel or communication
  std::vector<Role> annotations_; ///< by name: data_loader, communication or none
  std::vector<bool> by_operator_; ///< by slice: a kernel of an operator that communicates; or empty
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
  result::StepSource step_source = result::StepSource::none;
  Roles roles;

  std::string_view name(std::int32_t slice) const {
    return trace.names[trace.slices[static_cast<std::size_t>(slice)].name];
  }
};

/// One for each trace, in their order.
std::vector<TraceIndex> index_traces(const std::vector<job::Trace>& traces);

/// "nccl:all_reduce", "gloo:broadcast", "c10d::…": annotations around a collective.
bool is_collective_annotation(std::string_view annotation);

/// In lower case and without underscores: "all_reduce", "AllReduce" and "allreduce" are one.
std::string squeezed_name(std::string_view name);

/// Kernels that communicate: NCCL's and RCCL's, and those of others that are named after a
/// collective: symmetric memory's, vLLM's, TensorRT-LLM's, FlashInfer's, quick_reduce, MSCCL,
/// DeepEP and NVSHMEM.
bool is_communication_kernel(std::string_view kernel);

/// Operators of others than PyTorch's own c10d that are a collective:
/// "symm_mem::multimem_all_reduce_",
/// "_C_custom_ar::all_reduce". What PyTorch's own launch beside the collective's kernel does not
/// communicate.
bool is_collective_operator(std::string_view op);

// What a slice lies in: the operators and annotations around it on its thread.

inline const job::Slice& slice_at(const TraceIndex& index, std::int32_t slice) {
  return index.trace.slices[static_cast<std::size_t>(slice)];
}

inline std::int32_t parent_of(const TraceIndex& index, std::int32_t slice) {
  return index.parent[static_cast<std::size_t>(slice)];
}

/// `slice` or the innermost slice around it for which `wanted(slice)` holds; kNone: none.
template <typename Wanted>
std::int32_t innermost(const TraceIndex& index, std::int32_t slice, const Wanted& wanted) {
  while (slice != TraceIndex::kNone && !wanted(slice))
    slice = parent_of(index, slice);
  return slice;
}

/// The innermost operator, from `slice` outwards.
std::int32_t innermost_op(const TraceIndex& index, std::int32_t slice);

/// The outermost operator or annotation that is not a step, from `slice` outwards.
std::int32_t outermost_cause(const TraceIndex& index, std::int32_t slice);

/// Its name; empty where there is none.
std::string_view name_or_empty(const TraceIndex& index, std::int32_t slice);

/// Which slices are open on a thread at a moment.
class OpenSlices {
public:
  explicit OpenSlices(const TraceIndex& index);

  /// The innermost; kNone: none.
  std::int32_t at(std::int32_t track, Nanoseconds time) const;

private:
  const TraceIndex& index_;
  std::vector<std::int32_t> nesting_; ///< slices that can hold others, in the order of the trace
};

/// When the trace's steps ran; all of the trace where there are none.
IntervalSet<Nanoseconds> profiled_time(const TraceIndex& index);

/// The same on the host: when it was in them.
IntervalSet<Nanoseconds> profiled_host_time(const TraceIndex& index);

/// A process is profiled in one or several cycles, each of which is a trace.
struct TracedProcess {
  std::string name;
  std::vector<const TraceIndex*> cycles; ///< by time; never empty
};

/// In the natural order of their names.
std::vector<TracedProcess> by_process(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate

// The collectives of a trace: kernels of NCCL and RCCL, and ranges of gloo and the like on CPU
// threads.
//
// What a kernel does not say of itself (name, type, size) the operator or range around its launch
// does: record_param_comms, nccl:all_reduce. Ranges of NCCL are but launches and no communication.
#pragma once

#include "aggregate/trace/index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

struct Collective {
  Nanoseconds start{};
  Nanoseconds end{};
  Nanoseconds issued{}; ///< when the host asked for it: which step it belongs to
  bool gpu = false;
  std::string name;                  ///< "all_reduce"
  std::string dtype;                 ///< "Float"; empty: not recorded
  std::string group;                 ///< the process group's name; empty: not recorded
  std::optional<std::int64_t> bytes; ///< of the larger of what goes in and what comes out
  std::optional<std::int64_t> ranks; ///< that take part; absent: not recorded
  /// How long it waited for the last process to come; absent: not known, it is in one trace only.
  std::optional<Nanoseconds> waited = {};
};

/// By track, then start.
std::vector<Collective> collectives_of(const TraceIndex& index);

// Collectives by one name and in bytes, however their recorder spells them.

/// "all_reduce" of "allreduce", "nccl:all_reduce", "c10d::allreduce_" and
/// "ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)"; nothing where it names none that is known.
std::optional<std::string> collective_name(std::string_view recorded);

/// Bytes of one element: "Float", "c10::BFloat16", "long int". Nothing where it is not known.
std::optional<std::int64_t> element_size(std::string_view dtype);

/// The bytes of all tensors among an operator's inputs: `dims` "[[8192, 4], []]" and `types`
/// "["float", "Scalar"]", both as recorded. Nothing where a tensor's size is not known.
std::optional<std::int64_t> input_bytes(std::string_view dims, std::string_view types);

/// The type of the first tensor: "float"; empty where there is none.
std::string first_type(std::string_view types);

} // namespace debrief::aggregate

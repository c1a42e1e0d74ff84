// Collectives by one name and in bytes, however their recorder spells them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::aggregate {

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

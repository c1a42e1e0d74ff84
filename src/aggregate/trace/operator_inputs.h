// What an operator was called with, as its trace records it: shapes, types and values of inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

struct OperatorInput {
  bool tensor = false;           ///< else a number, a list, a flag, or nothing
  std::vector<double> dims = {}; ///< of a tensor; empty: one element
  double elements = 0;           ///< of a tensor
  double element_bytes = 0;      ///< of a tensor; 0: its type is not known
  std::string type = {};         ///< "c10::BFloat16"
  std::string value = {};        ///< "[2, 2]", "True"; empty where not recorded, and of tensors

  double bytes() const { return elements * element_bytes; }
};

using OperatorInputs = std::vector<OperatorInput>;

/// `dims`, `types` and `values` are JSON as recorded ("Input Dims", "Input type", "Concrete
/// Inputs"); `values` may be empty. Nothing where dims and types do not belong together. Products
/// of dimensions are doubles, so that no trace overflows them.
std::optional<OperatorInputs> parse_inputs(std::string_view dims, std::string_view types,
                                           std::string_view values);

/// The input if it is a tensor; null where there is none.
const OperatorInput* tensor_at(const OperatorInputs& inputs, std::size_t index);

/// "[2, 2]" -> 2, 2, and "3" -> 3; nothing where it is not recorded or not of whole numbers.
std::optional<std::vector<double>> numbers_at(const OperatorInputs& inputs, std::size_t index);

/// "True", "False", or a number; nothing where it is not recorded.
std::optional<bool> flag_at(const OperatorInputs& inputs, std::size_t index);

/// The bytes of all tensors; nothing where there is none, or the type of one is not known.
std::optional<double> bytes_of_tensors(const OperatorInputs& inputs);

/// "bf16" of "c10::BFloat16", as kernel_precision() calls it; empty for types that do not compute.
std::string_view type_precision(std::string_view type);

} // namespace debrief::aggregate

#include "aggregate/trace/operator_inputs.h"

#include "aggregate/trace/collectives.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <utility>

namespace debrief::aggregate {

namespace {

using Json = nlohmann::json;

/// Of one tensor; a list of tensors has lists in it and is no tensor here, since the types of its
/// elements are not recorded.
bool take_dims(const Json& dims, OperatorInput& input) {
  input.elements = 1;
  for (const Json& dim : dims) {
    if (!dim.is_number_integer() || dim.get<std::int64_t>() < 0) return false;
    input.dims.push_back(dim.get<double>());
    input.elements *= input.dims.back();
  }
  return true;
}

} // namespace

std::optional<OperatorInputs> parse_inputs(std::string_view dims, std::string_view types,
                                           std::string_view values) {
  const Json shapes = Json::parse(dims, nullptr, false);
  const Json names = Json::parse(types, nullptr, false);
  const Json recorded = Json::parse(values, nullptr, false);
  if (!shapes.is_array() || !names.is_array() || shapes.size() != names.size()) return std::nullopt;
  OperatorInputs inputs(shapes.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!shapes[i].is_array() || !names[i].is_string()) return std::nullopt;
    OperatorInput& input = inputs[i];
    input.type = names[i].get<std::string>();
    const bool typed = !input.type.empty() && input.type != "Scalar" &&
                       input.type != "ScalarList" && input.type != "TensorList" &&
                       !input.type.ends_with("[]");
    input.tensor = typed && take_dims(shapes[i], input);
    if (input.tensor)
      input.element_bytes = static_cast<double>(element_size(input.type).value_or(0));
    else if (recorded.is_array() && i < recorded.size() && recorded[i].is_string())
      input.value = recorded[i].get<std::string>();
  }
  return inputs;
}

const OperatorInput* tensor_at(const OperatorInputs& inputs, std::size_t index) {
  return index < inputs.size() && inputs[index].tensor ? &inputs[index] : nullptr;
}

std::optional<std::vector<double>> numbers_at(const OperatorInputs& inputs, std::size_t index) {
  if (index >= inputs.size() || inputs[index].value.empty()) return std::nullopt;
  const Json value = Json::parse(inputs[index].value, nullptr, false);
  std::vector<double> numbers;
  const auto take = [&](const Json& number) {
    if (!number.is_number_integer()) return false;
    numbers.push_back(number.get<double>());
    return true;
  };
  if (!value.is_array()) return take(value) ? std::optional{numbers} : std::nullopt;
  for (const Json& number : value)
    if (!take(number)) return std::nullopt;
  return numbers;
}

std::optional<bool> flag_at(const OperatorInputs& inputs, std::size_t index) {
  if (index >= inputs.size()) return std::nullopt;
  const std::string& value = inputs[index].value;
  if (value == "True") return true;
  if (value == "False") return false;
  if (const auto numbers = numbers_at(inputs, index); numbers && numbers->size() == 1)
    return numbers->front() != 0;
  return std::nullopt;
}

std::optional<double> bytes_of_tensors(const OperatorInputs& inputs) {
  std::optional<double> sum;
  for (const OperatorInput& input : inputs) {
    if (!input.tensor) continue;
    if (input.element_bytes == 0) return std::nullopt;
    sum = sum.value_or(0) + input.bytes();
  }
  return sum;
}

std::string_view type_precision(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kPrecisions = {
      {{"float", "fp32"},
       {"double", "fp64"},
       {"c10::Half", "fp16"},
       {"c10::BFloat16", "bf16"},
       {"at::Half", "fp16"},
       {"at::BFloat16", "bf16"},
       {"signed char", "int8"},
       {"Half", "fp16"},
       {"BFloat16", "bf16"}}};
  if (type.find("Float8") != type.npos) return "fp8";
  if (type.find("Float4") != type.npos) return "fp4";
  for (const auto& [name, precision] : kPrecisions)
    if (type == name) return precision;
  return {};
}

} // namespace debrief::aggregate

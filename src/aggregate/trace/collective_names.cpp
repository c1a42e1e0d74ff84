#include "aggregate/trace/collective_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace debrief::aggregate {

namespace {

using nlohmann::json;
using Pair = std::pair<std::string_view, std::string_view>;

/// How a name begins, in lower case and without underscores. Longer ones stand before shorter ones.
constexpr std::array kNames = {Pair{"allreduce", "all_reduce"},
                               Pair{"allgather", "all_gather"},
                               Pair{"alltoall", "all_to_all"},
                               Pair{"reducescatter", "reduce_scatter"},
                               Pair{"broadcast", "broadcast"},
                               Pair{"bcast", "broadcast"},
                               Pair{"sendrecv", "send_recv"},
                               Pair{"send", "send"},
                               Pair{"recv", "recv"},
                               Pair{"barrier", "barrier"},
                               Pair{"onerankreduce", "reduce"},
                               Pair{"reduce", "reduce"},
                               Pair{"gather", "gather"},
                               Pair{"scatter", "scatter"}};

/// What stands after "nccl:", "c10d::" or "ncclDevKernel_".
std::string_view bare(std::string_view name) {
  if (const std::size_t kernel = name.find("Kernel_"); kernel != name.npos)
    return name.substr(kernel + 7);
  const std::size_t colon = name.find(':');
  if (colon == name.npos) return name;
  return name.substr(name.find_first_not_of(':', colon) == name.npos
                         ? name.size()
                         : name.find_first_not_of(':', colon));
}

std::string squeezed(std::string_view name) {
  std::string out;
  for (const char letter : name)
    if (letter != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return out;
}

/// Types as ATen names them and as C++ does.
constexpr std::array kSizes = {std::pair{std::string_view{"complexdouble"}, 16},
                               std::pair{std::string_view{"complex<double>"}, 16},
                               std::pair{std::string_view{"complexfloat"}, 8},
                               std::pair{std::string_view{"complex<float>"}, 8},
                               std::pair{std::string_view{"double"}, 8},
                               std::pair{std::string_view{"long"}, 8},
                               std::pair{std::string_view{"long int"}, 8},
                               std::pair{std::string_view{"float"}, 4},
                               std::pair{std::string_view{"int"}, 4},
                               std::pair{std::string_view{"half"}, 2},
                               std::pair{std::string_view{"bfloat16"}, 2},
                               std::pair{std::string_view{"short"}, 2},
                               std::pair{std::string_view{"short int"}, 2},
                               std::pair{std::string_view{"char"}, 1},
                               std::pair{std::string_view{"signed char"}, 1},
                               std::pair{std::string_view{"unsigned char"}, 1},
                               std::pair{std::string_view{"byte"}, 1},
                               std::pair{std::string_view{"bool"}, 1}};

/// Elements of a tensor with these dimensions; nothing where they are none, or too many.
std::optional<std::int64_t> elements_of(const json& dims) {
  std::int64_t elements = 1;
  for (const json& dim : dims)
    if (!dim.is_number_integer() || dim.get<std::int64_t>() < 0 ||
        __builtin_mul_overflow(elements, dim.get<std::int64_t>(), &elements))
      return std::nullopt;
  return elements;
}

} // namespace

std::optional<std::string> collective_name(std::string_view recorded) {
  const std::string name = squeezed(bare(recorded));
  for (const auto& [prefix, plain] : kNames)
    if (name.starts_with(prefix)) return std::string{plain};
  return std::nullopt;
}

std::optional<std::int64_t> element_size(std::string_view dtype) {
  if (dtype.starts_with("c10::")) dtype.remove_prefix(5);
  std::string name;
  for (const char letter : dtype)
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (name.starts_with("float8")) return 1;
  for (const auto& [known, size] : kSizes)
    if (name == known) return size;
  return std::nullopt;
}

std::optional<std::int64_t> input_bytes(std::string_view dims, std::string_view types) {
  const json shapes = json::parse(dims, nullptr, false);
  const json names = json::parse(types, nullptr, false);
  if (!shapes.is_array() || !names.is_array() || shapes.size() != names.size()) return std::nullopt;
  std::optional<std::int64_t> sum;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].is_array() || !names[i].is_string()) return std::nullopt;
    const auto& name = names[i].get_ref<const std::string&>();
    if (name.empty() || name == "Scalar" || name == "ScalarList") continue;
    const auto size = element_size(name);
    const auto elements = elements_of(shapes[i]);
    std::int64_t bytes = 0;
    if (!size || !elements || __builtin_mul_overflow(*size, *elements, &bytes) ||
        __builtin_add_overflow(bytes, sum.value_or(0), &bytes))
      return std::nullopt;
    sum = bytes;
  }
  return sum;
}

std::string first_type(std::string_view types) {
  const json names = json::parse(types, nullptr, false);
  if (names.is_array())
    for (const json& name : names)
      if (name.is_string() && element_size(name.get_ref<const std::string&>()))
        return name.get<std::string>();
  return "";
}

} // namespace debrief::aggregate

#include "aggregate/trace/collectives.h"

#include "aggregate/trace/index.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>
#include <utility>

namespace debrief::aggregate {

namespace {

class Finder {
public:
  explicit Finder(const TraceIndex& index)
      : index_(index)
      , trace_(index.trace) {}

  Collective of_range(std::int32_t range) {
    const job::Slice& slice = slice_at(index_, range);
    Collective found{slice.start, slice.end(), slice.start, false, {}, {}, {}, {}, {}};
    describe_by(range, found);
    complete(found, index_.name(range));
    count_ranks(found);
    return found;
  }

  Collective of_kernel(std::int32_t kernel) {
    const job::Slice& slice = slice_at(index_, kernel);
    const std::int32_t launch = index_.launch[static_cast<std::size_t>(kernel)];
    const std::int32_t op = index_.op[static_cast<std::size_t>(kernel)];
    Collective found{slice.start, slice.end(), slice.start, true, {}, {}, {}, {}, {}};
    if (slice.details >= 0)
      take(trace_.launches[static_cast<std::size_t>(slice.details)].collective, found);
    std::int32_t around = launch != TraceIndex::kNone ? launch : op;
    if (around != TraceIndex::kNone) found.issued = slice_at(index_, around).start;
    for (; around != TraceIndex::kNone; around = parent_of(index_, around))
      describe_by(around, found);
    complete(found, index_.name(kernel));
    count_ranks(found);
    return found;
  }

private:
  void take(std::int32_t collective, Collective& found) const {
    if (collective < 0) return;
    const job::CollectiveArgs& args = trace_.collectives[static_cast<std::size_t>(collective)];
    if (const auto name = collective_name(text(args.name)); name && found.name.empty())
      found.name = *name;
    if (found.group.empty()) found.group = text(args.group);
    if (args.group_size > 0) found.ranks = args.group_size;
    if (found.bytes) return;
    const auto size = element_size(text(args.dtype));
    const std::int64_t elements = std::max(args.in_elements, args.out_elements);
    std::int64_t bytes = 0;
    if (size && elements >= 0 && !__builtin_mul_overflow(*size, elements, &bytes)) {
      found.bytes = bytes;
      found.dtype = text(args.dtype);
    }
  }

  /// What an operator or range around it adds.
  void describe_by(std::int32_t slice, Collective& found) {
    const job::Slice& around = slice_at(index_, slice);
    const bool range = around.kind == job::SliceKind::annotation;
    if (!range && around.kind != job::SliceKind::op) return;
    const job::InputArgs* inputs =
        around.details < 0 ? nullptr : &trace_.inputs[static_cast<std::size_t>(around.details)];
    if (inputs != nullptr) take(inputs->collective, found);
    const bool of_others = !range && is_collective_operator(index_.name(slice));
    if (!of_others && !is_collective_annotation(index_.name(slice))) return;
    if (const auto name = collective_name(index_.name(slice)); name && found.name.empty())
      found.name = *name;
    if (!(range || of_others) || inputs == nullptr || found.bytes) return;
    const Sized& sized = size_of(around.details);
    found.bytes = sized.bytes;
    if (sized.bytes) found.dtype = sized.dtype;
  }

  /// Where the event does not say: its group's, else the world's.
  void count_ranks(Collective& found) const {
    if (found.ranks) return;
    for (const job::ProcessGroup& group : trace_.groups)
      if (!found.group.empty() && group.name == found.group && !group.ranks.empty())
        found.ranks = std::ssize(group.ranks);
    if (!found.ranks && trace_.world_size.value_or(0) > 0) found.ranks = trace_.world_size;
  }

  static void complete(Collective& found, std::string_view recorded) {
    if (!found.name.empty()) return;
    const std::string_view whole = recorded.substr(0, recorded.find('('));
    found.name = collective_name(recorded).value_or(std::string{whole});
  }

  struct Sized {
    std::optional<std::int64_t> bytes;
    std::string dtype;
  };

  const Sized& size_of(std::int32_t inputs) {
    const auto [found, added] = sized_.try_emplace(inputs);
    if (added) {
      const job::InputArgs& args = trace_.inputs[static_cast<std::size_t>(inputs)];
      found->second.bytes = input_bytes(text(args.dims), text(args.types));
      found->second.dtype = first_type(text(args.types));
    }
    return found->second;
  }

  std::string_view text(job::StringTable::Id id) const {
    return id < 0 ? std::string_view{} : trace_.names[id];
  }

  const TraceIndex& index_;
  const job::Trace& trace_;
  std::unordered_map<std::int32_t, Sized> sized_; ///< by InputArgs: many calls are alike
};

} // namespace

std::vector<Collective> collectives_of(const TraceIndex& index) {
  std::vector<Collective> all;
  Finder finder{index};
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (index.roles.of(i) != Role::communication) continue;
    const auto slice = static_cast<std::int32_t>(i);
    all.push_back(slices[i].kind == job::SliceKind::kernel ? finder.of_kernel(slice)
                                                           : finder.of_range(slice));
  }
  return all;
}

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

constexpr std::array kPartsOfNames = {Pair{"allreduce", "all_reduce"},
                                      Pair{"crossdevicereduce", "all_reduce"},
                                      Pair{"quickreduce", "all_reduce"},
                                      Pair{"allgather", "all_gather"},
                                      Pair{"reducescatter", "reduce_scatter"},
                                      Pair{"alltoall", "all_to_all"},
                                      Pair{"dispatch", "all_to_all"}, // of experts' tokens
                                      Pair{"combine", "all_to_all"}};

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
  const std::string name = squeezed_name(bare(recorded));
  for (const auto& [prefix, plain] : kNames)
    if (name.starts_with(prefix)) return std::string{plain};
  // Kernels of others have it anywhere: "multimem_all_reduce", "cross_device_reduce_1stage".
  if (const std::string whole = squeezed_name(recorded.substr(0, recorded.find('<')));
      is_communication_kernel(recorded) || is_collective_operator(recorded))
    for (const auto& [part, plain] : kPartsOfNames)
      if (whole.find(part) != whole.npos) return std::string{plain};
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

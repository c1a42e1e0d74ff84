#include "aggregate/self_time.h"
#include "aggregate/trace/categories.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/kernel_names.h"
#include "util/parallel.h"
#include "util/seeded_hash.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace debrief::aggregate {

namespace {

struct TraceOperatorsSums {
  std::int64_t calls = 0;
  Nanoseconds host_total{};
  Nanoseconds host_self{};
  Nanoseconds device_total{};
  Nanoseconds device_self{};
  Nanoseconds tensor_core{};
  Nanoseconds tensor_core_unknown{};
  CategorySums categories; ///< of device_self

  void add(const TraceOperatorsSums& other) {
    calls += other.calls;
    host_total += other.host_total;
    host_self += other.host_self;
    device_total += other.device_total;
    device_self += other.device_self;
    tensor_core += other.tensor_core;
    tensor_core_unknown += other.tensor_core_unknown;
    categories.add(other.categories);
  }
};

/// The rows of one trace: which one each slice counts in.
struct Keys {
  std::vector<std::int32_t> of; ///< by slice; kNone: not an operator
  std::vector<std::pair<job::StringTable::Id, job::StringTable::Id>>
      texts; ///< name and shapes, or -1
};

Keys keys_of(const job::Trace& trace, bool with_shapes) {
  Keys keys;
  keys.of.assign(trace.slices.size(), TraceIndex::kNone);
  std::unordered_map<std::uint64_t, std::int32_t, SeededHash> ids;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (slice.kind != job::SliceKind::op) continue;
    const job::StringTable::Id dims =
        with_shapes && slice.details >= 0
            ? trace.inputs[static_cast<std::size_t>(slice.details)].dims
            : -1;
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(slice.name)) << 32U |
                     static_cast<std::uint32_t>(dims);
    const auto [found, added] = ids.try_emplace(key, static_cast<std::int32_t>(keys.texts.size()));
    if (added) keys.texts.emplace_back(slice.name, dims);
    keys.of[i] = found->second;
  }
  return keys;
}

/// Whether kernels use tensor cores, asked once for each name and operator's name.
class TensorCores {
public:
  explicit TensorCores(const TraceIndex& index)
      : index_(index)
      , by_name_(index.trace.names.size()) {}

  std::optional<bool> of(const job::Slice& kernel, std::int32_t op) {
    auto& known = by_name_[static_cast<std::size_t>(kernel.name)];
    if (!known.asked) {
      known.asked = true;
      known.by_kernel = uses_tensor_cores(index_.trace.names[kernel.name]);
    }
    if (known.by_kernel || op == TraceIndex::kNone) return known.by_kernel;
    const job::StringTable::Id op_name = slice_at(index_, op).name;
    if (known.op != op_name) {
      known.op = op_name;
      known.by_op = tensor_cores_of(index_.trace.names[kernel.name], index_.name(op));
    }
    return known.by_op;
  }

private:
  struct Known {
    bool asked = false;
    std::optional<bool> by_kernel;
    job::StringTable::Id op = -1; ///< of the last one asked for
    std::optional<bool> by_op;
  };

  const TraceIndex& index_;
  std::vector<Known> by_name_;
};

/// By slice: GPU time that was launched in it and in all inside of it.
std::vector<Nanoseconds> launched_times(const TraceIndex& index) {
  const job::Trace& trace = index.trace;
  std::vector<Nanoseconds> launched(trace.slices.size());
  for (std::size_t i = 0; i < trace.slices.size(); ++i)
    if (job::is_gpu_work(trace.slices[i].kind) && index.op[i] != TraceIndex::kNone)
      launched[static_cast<std::size_t>(index.op[i])] += trace.slices[i].duration;
  for (std::size_t i = trace.slices.size(); i-- > 0;) // what holds a slice comes before it
    if (index.parent[i] != TraceIndex::kNone)
      launched[static_cast<std::size_t>(index.parent[i])] += launched[i];
  return launched;
}

void add_device_self(const job::Slice& work, std::optional<bool> tensor_cores,
                     result::WorkCategory category, TraceOperatorsSums& sum) {
  sum.device_self += work.duration;
  sum.categories.add(category, work.duration);
  if (work.kind != job::SliceKind::kernel) return;
  if (!tensor_cores)
    sum.tensor_core_unknown += work.duration;
  else if (*tensor_cores)
    sum.tensor_core += work.duration;
}

std::vector<TraceOperatorsSums> sums_of(const TraceIndex& index, const Keys& keys,
                                        std::span<const Nanoseconds> launched) {
  const job::Trace& trace = index.trace;
  TensorCores tensor_cores{index};
  WorkCategories categories{index};

  /// Until when calls of a key have been counted on a track.
  struct Counted {
    std::int32_t track = TraceIndex::kNone;
    Nanoseconds until{};
  };

  std::vector<TraceOperatorsSums> sums(keys.texts.size());
  std::vector<Counted> counted(keys.texts.size());
  SelfTimes<Nanoseconds, std::int32_t> self;
  std::int32_t track = TraceIndex::kNone;
  const auto add_self = [&](std::int32_t key, Nanoseconds amount) {
    sums[static_cast<std::size_t>(key)].host_self += amount;
  };
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (job::is_gpu_work(slice.kind) && index.op[i] != TraceIndex::kNone)
      add_device_self(
          slice, tensor_cores.of(slice, index.op[i]), categories.of(i),
          sums[static_cast<std::size_t>(keys.of[static_cast<std::size_t>(index.op[i])])]);
    if (slice.kind != job::SliceKind::op) continue;
    if (slice.track != track) self.clear();
    track = slice.track;
    self.take(slice.start, slice.end(), keys.of[i], add_self);
    const auto key = static_cast<std::size_t>(keys.of[i]);
    Counted& last = counted[key];
    if (last.track != track) last = {track, slice.start};
    sums[key].calls += 1;
    const bool recursive = slice.start < last.until && slice.end() <= last.until;
    if (recursive) continue;
    sums[key].host_total += slice.end() - std::max(slice.start, last.until);
    sums[key].device_total += launched[i];
    last.until = std::max(last.until, slice.end());
  }
  return sums;
}

/// TraceOperatorsSums of all traces by name and shapes as texts: ids differ between traces.
using Table = std::map<std::pair<std::string_view, std::string_view>, TraceOperatorsSums>;

void add_to(Table& table, const job::Trace& trace, const Keys& keys,
            std::span<const TraceOperatorsSums> sums) {
  const job::StringTable& names = trace.names;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto [name, dims] = keys.texts[i];
    table[{names[name], dims < 0 ? std::string_view{} : names[dims]}].add(sums[i]);
  }
}

/// By the name of the call that launched it: GPU work outside of operators.
using Calls = std::map<std::string_view, TraceOperatorsSums>;

void add_work_outside(const TraceIndex& index, Calls& calls) {
  TensorCores tensor_cores{index};
  WorkCategories categories{index};
  std::vector<bool> counted(index.trace.slices.size());
  for (std::size_t i = 0; i < index.trace.slices.size(); ++i) {
    const job::Slice& slice = index.trace.slices[i];
    if (!job::is_gpu_work(slice.kind) || index.op[i] != TraceIndex::kNone) continue;
    const std::int32_t call = index.launch[i];
    TraceOperatorsSums& sum = calls[name_or_empty(index, call)];
    add_device_self(slice, tensor_cores.of(slice, TraceIndex::kNone), categories.of(i), sum);
    sum.device_total += slice.duration;
    if (call == TraceIndex::kNone) {
      ++sum.calls;
    } else if (!counted[static_cast<std::size_t>(call)]) { // one call may start many kernels
      counted[static_cast<std::size_t>(call)] = true;
      ++sum.calls;
      sum.host_total += slice_at(index, call).duration;
      sum.host_self += slice_at(index, call).duration;
    }
  }
}

bool is_before(const result::TraceOperator& a, const result::TraceOperator& b) {
  return std::tuple{-a.device_self_us, -a.host_self_us} <
         std::tuple{-b.device_self_us, -b.host_self_us};
}

void put_times(const TraceOperatorsSums& sums, result::TraceOperator& row) {
  row.calls = sums.calls;
  row.host_total_us = in_microseconds(sums.host_total);
  row.host_self_us = in_microseconds(sums.host_self);
  row.device_total_us = in_microseconds(sums.device_total);
  row.device_self_us = in_microseconds(sums.device_self);
  row.tensor_core_us = in_microseconds(sums.tensor_core);
  row.category = sums.categories.most();
}

/// Puts the calls among the operators.
void add_rows(const Calls& calls, std::vector<result::TraceOperator>& rows) {
  for (const auto& [name, sums] : calls) {
    result::TraceOperator row;
    row.name = name;
    row.outside_operators = true;
    put_times(sums, row);
    rows.insert(std::upper_bound(rows.begin(), rows.end(), row, is_before), std::move(row));
  }
  if (rows.size() > result::kMaxTraceRows) rows.resize(result::kMaxTraceRows);
}

std::vector<result::TraceOperator> rows_of(const Table& table) {
  std::vector<Table::const_iterator> order(table.size());
  std::iota(order.begin(), order.end(), table.begin());
  const auto rank = [](const Table::const_iterator& entry) {
    const auto& [key, sums] = *entry;
    return std::tuple{-sums.device_self, -sums.host_self, key};
  };
  std::sort(order.begin(), order.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (order.size() > result::kMaxTraceRows) order.resize(result::kMaxTraceRows);
  std::vector<result::TraceOperator> rows;
  for (const auto& entry : order) {
    const auto& [key, sums] = *entry;
    result::TraceOperator& row = rows.emplace_back();
    row.name = key.first;
    row.shapes = readable_shapes(key.second);
    row.tensor_core_eligible = is_tensor_core_eligible(key.first);
    put_times(sums, row);
  }
  return rows;
}

bool has_shapes(const job::Trace& trace) {
  return std::any_of(trace.inputs.begin(), trace.inputs.end(),
                     [](const job::InputArgs& inputs) { return inputs.dims >= 0; });
}

} // namespace

result::TraceOperators trace_operators(std::span<const TraceIndex> indices) {
  const bool shapes = std::any_of(indices.begin(), indices.end(),
                                  [](const TraceIndex& index) { return has_shapes(index.trace); });
  Table by_name;
  Table by_shapes;
  Calls outside;
  std::mutex mutex; // of the three; sums of whole nanoseconds are the same in any order
  parallel_for(indices.size(), [&](std::size_t i) {
    const std::vector<Nanoseconds> launched = launched_times(indices[i]);
    const Keys names = keys_of(indices[i].trace, false);
    const std::vector<TraceOperatorsSums> sums = sums_of(indices[i], names, launched);
    Keys with_shapes;
    std::vector<TraceOperatorsSums> sums_with_shapes;
    if (shapes) {
      with_shapes = keys_of(indices[i].trace, true);
      sums_with_shapes = sums_of(indices[i], with_shapes, launched);
    }
    Calls own_outside;
    add_work_outside(indices[i], own_outside);
    const std::lock_guard lock{mutex};
    add_to(by_name, indices[i].trace, names, sums);
    add_to(by_shapes, indices[i].trace, with_shapes, sums_with_shapes);
    for (const auto& [call, of_call] : own_outside)
      outside[call].add(of_call);
  });
  TraceOperatorsSums all;
  TraceOperatorsSums backward;
  Nanoseconds eligible{};
  for (const auto& [key, sums] : by_name) {
    all.add(sums);
    if (key.first.starts_with("autograd::engine::evaluate_function: ")) backward.add(sums);
    if (is_tensor_core_eligible(key.first)) eligible += sums.device_self;
  }
  result::TraceOperators out;
  out.by_name = rows_of(by_name);
  add_rows(outside, out.by_name);
  out.by_shapes = rows_of(by_shapes);
  if (shapes) add_rows(outside, out.by_shapes);
  out.names = static_cast<std::int64_t>(by_name.size());
  out.names_and_shapes = static_cast<std::int64_t>(by_shapes.size());
  out.calls = all.calls;
  out.host_total_us = in_microseconds(all.host_total);
  out.host_self_us = in_microseconds(all.host_self);
  Nanoseconds device = all.device_self;
  for (const auto& [call, sums] : outside) {
    device += sums.device_self;
    all.categories.add(sums.categories);
    all.tensor_core += sums.tensor_core;
    all.tensor_core_unknown += sums.tensor_core_unknown;
  }
  out.device_self_us = in_microseconds(device);
  out.backward_calls = backward.calls;
  out.backward_host_us = in_microseconds(backward.host_total);
  out.eligible_device_us = in_microseconds(eligible);
  out.tensor_core_us = in_microseconds(all.tensor_core);
  out.tensor_core_unknown_us = in_microseconds(all.tensor_core_unknown);
  out.categories = all.categories.shares();
  return out;
}

std::string readable_shapes(std::string_view dims) {
  std::string out;
  int depth = 0;
  for (const char c : dims) {
    if (out.size() >= kMaxShapesText) return out.append("…");
    if (c == ' ') continue;
    if (c == ']' && depth > 0) --depth;
    const bool between = depth == 1 && c == ',';
    const bool outermost = depth == 0 && (c == '[' || c == ']');
    if (c == '[') ++depth;
    if (outermost) continue;
    if (between)
      out += ' ';
    else if (c == ',')
      out += ", ";
    else
      out += c;
  }
  return out;
}

bool is_tensor_core_eligible(std::string_view op) {
  constexpr std::array<std::string_view, 30> kNames = {"mm",
                                                       "addmm",
                                                       "_addmm_activation",
                                                       "bmm",
                                                       "baddbmm",
                                                       "addbmm",
                                                       "mv",
                                                       "addmv",
                                                       "addr",
                                                       "matmul",
                                                       "matmul_backward",
                                                       "linear",
                                                       "linear_backward",
                                                       "chain_matmul",
                                                       "linalg_multi_dot",
                                                       "einsum",
                                                       "bilinear",
                                                       "_trilinear",
                                                       "_scaled_mm",
                                                       "_scaled_grouped_mm",
                                                       "_grouped_mm",
                                                       "_int_mm",
                                                       "_convolution",
                                                       "_convolution_double_backward",
                                                       "lstm_cell",
                                                       "gru_cell",
                                                       "rnn_tanh_cell",
                                                       "rnn_relu_cell",
                                                       "lstm",
                                                       "gru"};
  constexpr std::array<std::string_view, 12> kPrefixes = {"conv1d",
                                                          "conv2d",
                                                          "conv3d",
                                                          "conv_t", // conv_tbc, conv_transpose2d
                                                          "convolution",
                                                          "cudnn_convolution",
                                                          "miopen_convolution",
                                                          "_cudnn_rnn",
                                                          "_scaled_dot_product_",
                                                          "_flash_attention_",
                                                          "_efficient_attention_",
                                                          "_cudnn_attention_"};
  constexpr std::string_view kSpace = "aten::";
  if (!op.starts_with(kSpace)) return false;
  op.remove_prefix(kSpace.size());
  const auto begins = [&](std::string_view prefix) { return op.starts_with(prefix); };
  return std::find(kNames.begin(), kNames.end(), op) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(), begins) ||
         op == "scaled_dot_product_attention" || op == "miopen_rnn" || op == "miopen_rnn_backward";
}

std::optional<bool> tensor_cores_of(std::string_view kernel, std::string_view op) {
  if (const auto by_name = uses_tensor_cores(kernel)) return by_name;
  // Operators of others may run anything.
  if (op.starts_with("aten::") && !is_tensor_core_eligible(op)) return false;
  return std::nullopt;
}

} // namespace debrief::aggregate

#include "aggregate/self_time.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/kernel_names.h"
#include "util/seeded_hash.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
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

  void add(const TraceOperatorsSums& other) {
    calls += other.calls;
    host_total += other.host_total;
    host_self += other.host_self;
    device_total += other.device_total;
    device_self += other.device_self;
    tensor_core += other.tensor_core;
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

/// What the work on GPUs adds up to per slice of the host.
struct DeviceTimes {
  std::vector<Nanoseconds> launched; ///< by slice: in the operator itself and all inside of it
  std::vector<bool> tensor_cores;    ///< by name
  Nanoseconds tensor_core{};         ///< of all kernels
};

DeviceTimes device_times(const TraceIndex& index) {
  const job::Trace& trace = index.trace;
  DeviceTimes times;
  times.launched.resize(trace.slices.size());
  times.tensor_cores.resize(trace.names.size());
  std::vector<bool> seen(trace.names.size());
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (!job::is_gpu_work(slice.kind)) continue;
    const auto name = static_cast<std::size_t>(slice.name);
    if (slice.kind == job::SliceKind::kernel) {
      if (!seen[name]) times.tensor_cores[name] = uses_tensor_cores(trace.names[slice.name]);
      seen[name] = true;
      if (times.tensor_cores[name]) times.tensor_core += slice.duration;
    }
    if (index.op[i] != TraceIndex::kNone)
      times.launched[static_cast<std::size_t>(index.op[i])] += slice.duration;
  }
  for (std::size_t i = trace.slices.size(); i-- > 0;) // what holds a slice comes before it
    if (index.parent[i] != TraceIndex::kNone)
      times.launched[static_cast<std::size_t>(index.parent[i])] += times.launched[i];
  return times;
}

std::vector<TraceOperatorsSums> sums_of(const TraceIndex& index, const Keys& keys,
                                        const DeviceTimes& device) {
  const job::Trace& trace = index.trace;

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
    const bool tensor_cores = slice.kind == job::SliceKind::kernel &&
                              device.tensor_cores[static_cast<std::size_t>(slice.name)];
    if (job::is_gpu_work(slice.kind) && index.op[i] != TraceIndex::kNone) {
      TraceOperatorsSums& sum =
          sums[static_cast<std::size_t>(keys.of[static_cast<std::size_t>(index.op[i])])];
      sum.device_self += slice.duration;
      if (tensor_cores) sum.tensor_core += slice.duration;
    }
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
    sums[key].device_total += device.launched[i];
    last.until = std::max(last.until, slice.end());
  }
  return sums;
}

/// TraceOperatorsSums of all traces by name and shapes as texts: ids differ between traces.
using Table = std::map<std::pair<std::string_view, std::string_view>, TraceOperatorsSums>;

void add_to(Table& table, const TraceIndex& index, bool with_shapes, const DeviceTimes& device) {
  const Keys keys = keys_of(index.trace, with_shapes);
  const std::vector<TraceOperatorsSums> sums = sums_of(index, keys, device);
  const job::StringTable& names = index.trace.names;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto [name, dims] = keys.texts[i];
    table[{names[name], dims < 0 ? std::string_view{} : names[dims]}].add(sums[i]);
  }
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
    row.calls = sums.calls;
    row.host_total_us = in_microseconds(sums.host_total);
    row.host_self_us = in_microseconds(sums.host_self);
    row.device_total_us = in_microseconds(sums.device_total);
    row.device_self_us = in_microseconds(sums.device_self);
    row.tensor_core_eligible = is_tensor_core_eligible(key.first);
    row.tensor_core_us = in_microseconds(sums.tensor_core);
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
  Nanoseconds tensor_core{};
  for (const TraceIndex& index : indices) {
    const DeviceTimes device = device_times(index);
    tensor_core += device.tensor_core;
    add_to(by_name, index, false, device);
    if (shapes) add_to(by_shapes, index, true, device);
  }
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
  out.by_shapes = rows_of(by_shapes);
  out.names = static_cast<std::int64_t>(by_name.size());
  out.names_and_shapes = static_cast<std::int64_t>(by_shapes.size());
  out.calls = all.calls;
  out.host_total_us = in_microseconds(all.host_total);
  out.host_self_us = in_microseconds(all.host_self);
  out.device_self_us = in_microseconds(all.device_self);
  out.backward_calls = backward.calls;
  out.backward_host_us = in_microseconds(backward.host_total);
  out.eligible_device_us = in_microseconds(eligible);
  out.tensor_core_us = in_microseconds(tensor_core);
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

} // namespace debrief::aggregate

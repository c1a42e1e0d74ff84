#include "aggregate/trace/categories.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "aggregate/trace/kernel_names.h"
#include "util/interval_set.h"
#include "util/seeded_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace debrief::aggregate {

namespace {

/// A mean over time.
struct Weighted {
  double sum = 0;
  double weight = 0;

  void add(double value, Nanoseconds duration) {
    if (!std::isfinite(value) || value < 0) return;
    sum += value * static_cast<double>(duration.count());
    weight += static_cast<double>(duration.count());
  }

  std::optional<double> mean() const {
    return weight > 0 ? std::optional{sum / weight} : std::nullopt;
  }
};

using LaunchShape = std::array<std::int32_t, 6>; // grid, block

struct Kernel {
  std::string_view name;
  std::int64_t calls = 0;
  Nanoseconds total{};
  Nanoseconds least = Nanoseconds::max();
  Nanoseconds most{};
  Weighted occupancy;
  Weighted blocks_per_sm;
  bool communication = false;
  std::map<std::string_view, std::int64_t> ops; ///< calls
  std::map<LaunchShape, std::int64_t> shapes;   ///< calls
  std::set<std::pair<std::int64_t, std::int64_t>> streams;

  void take(const job::Slice& slice) {
    ++calls;
    total += slice.duration;
    least = std::min(least, slice.duration);
    most = std::max(most, slice.duration);
  }

  void take(const job::LaunchArgs& launch, Nanoseconds duration) {
    occupancy.add(launch.occupancy, duration);
    blocks_per_sm.add(launch.blocks_per_sm, duration);
    LaunchShape shape;
    std::copy(launch.block.begin(), launch.block.end(),
              std::copy(launch.grid.begin(), launch.grid.end(), shape.begin()));
    if (shape[0] >= 0) ++shapes[shape];
  }
};

class Collector {
public:
  void take(const TraceIndex& index) {
    const job::Trace& trace = index.trace;
    const Roles& roles = index.roles;
    std::vector<Seen> seen(trace.names.size()); // by name
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
      const job::Slice& slice = trace.slices[i];
      if (slice.kind != job::SliceKind::kernel) continue;
      Seen& last = seen[static_cast<std::size_t>(slice.name)];
      if (last.place < 0) last.place = place_of(trace.names[slice.name]);
      Kernel& kernel = kernels_[static_cast<std::size_t>(last.place)];
      kernel.take(slice);
      if (last.track != slice.track) {
        last.track = slice.track;
        const job::TraceTrack& track = trace.tracks[static_cast<std::size_t>(slice.track)];
        kernel.streams.emplace(track.process, track.id);
      }
      if (roles.of(i) == Role::communication) kernel.communication = true;
      if (slice.details >= 0)
        kernel.take(trace.launches[static_cast<std::size_t>(slice.details)], slice.duration);
      if (index.op[i] != TraceIndex::kNone) ++kernel.ops[index.name(index.op[i])];
    }
  }

  std::vector<Kernel>& kernels() { return kernels_; }

private:
  /// What is known of a name since its last kernel: slices come track by track.
  struct Seen {
    std::int32_t place = -1; ///< in kernels_
    std::int32_t track = -1;
  };

  std::int32_t place_of(std::string_view name) {
    const auto [found, added] =
        places_.try_emplace(name, static_cast<std::int32_t>(kernels_.size()));
    if (added) kernels_.emplace_back().name = name;
    return found->second;
  }

  std::vector<Kernel> kernels_;
  std::unordered_map<std::string_view, std::int32_t, SeededHash> places_;
};

/// The key with the most calls; the first of those that are alike.
template <typename Counts>
auto most_frequent(const Counts& counts) {
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
}

result::KernelRow row_of(const Kernel& kernel, Nanoseconds all) {
  result::KernelRow row;
  row.name = kernel.name;
  row.short_name = short_kernel_name(kernel.name);
  if (!kernel.ops.empty()) row.op = most_frequent(kernel.ops)->first;
  row.calls = kernel.calls;
  row.total_us = in_microseconds(kernel.total);
  row.mean_us = row.total_us / static_cast<double>(kernel.calls);
  row.min_us = in_microseconds(kernel.least);
  row.max_us = in_microseconds(kernel.most);
  row.percent = all > Nanoseconds{} ? 100 * quotient(kernel.total, all) : 0;
  if (!kernel.shapes.empty()) {
    const LaunchShape& shape = most_frequent(kernel.shapes)->first;
    row.grid = {shape[0], shape[1], shape[2]};
    if (shape[3] >= 0) row.block = {shape[3], shape[4], shape[5]};
  }
  row.launch_shapes = static_cast<std::int64_t>(kernel.shapes.size());
  row.occupancy = kernel.occupancy.mean();
  row.blocks_per_sm = kernel.blocks_per_sm.mean();
  for (const auto& [device, stream] : kernel.streams)
    if (row.streams.size() < kMaxStreams) row.streams.push_back({device, stream});
  row.precision = kernel_precision(kernel.name);
  row.tensor_cores = tensor_cores_of(kernel.name, row.op);
  row.communication = kernel.communication;
  row.category = work_category(kernel.name, row.op, kernel.communication);
  return row;
}

std::vector<result::PrecisionShare> precision_of(const std::vector<Kernel>& kernels) {
  struct Sum {
    std::int64_t calls = 0;
    Nanoseconds total{};
  };

  std::map<std::string_view, Sum> sums;
  Nanoseconds all{};
  for (const Kernel& kernel : kernels) {
    if (kernel.communication) continue;
    Sum& sum = sums[kernel_precision(kernel.name)];
    sum.calls += kernel.calls;
    sum.total += kernel.total;
    all += kernel.total;
  }
  std::vector<result::PrecisionShare> shares;
  shares.reserve(sums.size());
  for (const auto& [precision, sum] : sums)
    shares.push_back({std::string{precision}, sum.calls, in_microseconds(sum.total),
                      all > Nanoseconds{} ? 100 * quotient(sum.total, all) : 0});
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.us > b.us; });
  return shares;
}

} // namespace

result::Kernels trace_kernels(std::span<const TraceIndex> indices) {
  Collector collector;
  for (const TraceIndex& index : indices)
    collector.take(index);
  std::vector<Kernel>& kernels = collector.kernels();
  std::sort(kernels.begin(), kernels.end(), [](const Kernel& a, const Kernel& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  result::Kernels out;
  out.names = static_cast<std::int64_t>(kernels.size());
  Nanoseconds total{};
  for (const Kernel& kernel : kernels) {
    out.calls += kernel.calls;
    total += kernel.total;
  }
  out.total_us = in_microseconds(total);
  out.precision = precision_of(kernels);
  const std::size_t shown = std::min(kernels.size(), result::kMaxTraceRows);
  for (std::size_t i = 0; i < shown; ++i)
    out.rows.push_back(row_of(kernels[i], total));
  return out;
}

} // namespace debrief::aggregate

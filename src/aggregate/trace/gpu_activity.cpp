#include "aggregate/trace/copies.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/host_times.h"
#include "job/trace.h"
#include "util/interval_set.h"
#include "util/parallel.h"
#include "util/sort_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::aggregate {

namespace {

// How much of a GPU its kernels fill: estimated from how they were launched, as PyTorch's
// TensorBoard plugin does.

/// Sums over time, in nanoseconds; those of several traces add up.
struct SmTimes {
  double filled = 0;         ///< time × share of the multiprocessors that have a block
  double occupied = 0;       ///< time × occupancy, percent
  Nanoseconds with_blocks{}; ///< of kernels that record their blocks
  Nanoseconds with_occupancy{};

  void add(const SmTimes& other);

  /// Percent of the profiled time; nothing where no kernel records its blocks.
  std::optional<double> efficiency(Nanoseconds profiled) const;

  /// Percent, mean over the time of kernels.
  std::optional<double> occupancy() const;
};

void SmTimes::add(const SmTimes& other) {
  filled += other.filled;
  occupied += other.occupied;
  with_blocks += other.with_blocks;
  with_occupancy += other.with_occupancy;
}

std::optional<double> SmTimes::efficiency(Nanoseconds profiled) const {
  if (with_blocks == Nanoseconds{} || profiled == Nanoseconds{}) return std::nullopt;
  return 100 * filled / static_cast<double>(profiled.count());
}

std::optional<double> SmTimes::occupancy() const {
  if (with_occupancy == Nanoseconds{}) return std::nullopt;
  return occupied / static_cast<double>(with_occupancy.count());
}

/// `work` are slices of one GPU. A kernel fills min(blocks per SM, 1); kernels that run at once
/// fill their sum, at most all.
SmTimes sm_times(const job::Trace& trace, std::span<const std::int32_t> work,
                 const Coverage<Nanoseconds>& profiled) {
  // Shares in whole numbers, so that what is added is taken away exactly.
  constexpr std::int64_t kWhole = 1 << 20;
  std::vector<std::pair<Nanoseconds, std::int64_t>> changes;
  SmTimes times;
  for (const std::int32_t at : work) {
    const job::Slice& slice = trace.slices[static_cast<std::size_t>(at)];
    if (slice.kind != job::SliceKind::kernel || slice.details < 0) continue;
    const job::LaunchArgs& launch = trace.launches[static_cast<std::size_t>(slice.details)];
    const Nanoseconds inside = profiled.within({slice.start, slice.end()});
    if (std::isfinite(launch.occupancy) && launch.occupancy >= 0) {
      times.occupied += static_cast<double>(launch.occupancy) * static_cast<double>(inside.count());
      times.with_occupancy += inside;
    }
    if (!(launch.blocks_per_sm >= 0)) continue;
    times.with_blocks += inside;
    const auto share = static_cast<std::int64_t>(std::min(launch.blocks_per_sm, 1.0F) * kWhole);
    changes.emplace_back(slice.start, share);
    changes.emplace_back(slice.end(), -share);
  }
  sort_runs(changes.begin(), changes.end(), std::less{});
  std::int64_t level = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    level += changes[i].second;
    if (level <= 0) continue;
    const Nanoseconds inside = profiled.within({changes[i].first, changes[i + 1].first});
    times.filled += static_cast<double>(inside.count()) *
                    (static_cast<double>(std::min(level, kWhole)) / static_cast<double>(kWhole));
  }
  return times;
}

/// One device during one trace, and sums over several.
struct GpuActivitySums {
  std::string gpu;
  Nanoseconds profiled{};
  Nanoseconds busy{};
  Nanoseconds kernel{};
  Nanoseconds communication{};
  Nanoseconds memory{};
  Nanoseconds copy{};
  Nanoseconds copy_alone{};
  Nanoseconds host_wait{};
  Nanoseconds kernel_wait{};
  Nanoseconds other_wait{};
  Nanoseconds setup_wait{};
  Nanoseconds copy_wait{};
  Nanoseconds host_sync{};
  Nanoseconds outside_wait{};
  SmTimes sm;
  std::set<std::int64_t> streams;
};

using DeviceWork = std::vector<std::int32_t>; ///< slices of one device, by start

/// GPU work by device.
std::map<std::int64_t, DeviceWork> work_by_device(const job::Trace& trace) {
  std::map<std::int64_t, DeviceWork> devices;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (job::is_gpu_work(slice.kind) && slice.duration > Nanoseconds{})
      devices[trace.tracks[static_cast<std::size_t>(slice.track)].process].push_back(
          static_cast<std::int32_t>(i));
  }
  for (auto& [device, work] : devices)
    sort_runs(work.begin(), work.end(), [&](std::int32_t a, std::int32_t b) {
      return trace.slices[static_cast<std::size_t>(a)].start <
             trace.slices[static_cast<std::size_t>(b)].start;
    });
  return devices;
}

/// Parts of gaps, found so far.
struct HostInGaps {
  const HostTimes& times;
  std::vector<TraceSpan> late;       ///< the next work was not launched yet
  std::vector<TraceSpan> after_wait; ///< of these, where the host came from a wait for the GPU
};

bool is_within(const IntervalSet<Nanoseconds>& set, Nanoseconds time) {
  const auto after =
      std::upper_bound(set.begin(), set.end(), time, [](Nanoseconds moment, const TraceSpan& span) {
        return moment < span.first;
      });
  return after != set.begin() && time <= std::prev(after)->last;
}

/// `next` is the first work that starts at the end of the gap or later; kNone: there is none.
void add_gap(const TraceSpan& gap, std::int32_t next, const TraceIndex& index, HostInGaps& host,
             GpuActivitySums& sums) {
  const std::int32_t launch =
      next == TraceIndex::kNone ? next : index.launch[static_cast<std::size_t>(next)];
  if (launch == TraceIndex::kNone) {
    sums.other_wait += gap.length();
    if (next == TraceIndex::kNone) host.late.push_back(gap); // the trace ends before it is launched
    return;
  }
  const job::Slice& call = slice_at(index, launch);
  // A copy that the host waits for is asked for as the call begins.
  const bool blocks = slice_at(index, next).kind == job::SliceKind::memcpy &&
                      call.end() >= slice_at(index, next).end();
  const Nanoseconds launched = std::clamp(blocks ? call.start : call.end(), gap.first, gap.last);
  sums.host_wait += launched - gap.first;
  const Nanoseconds rest = gap.last - launched;
  const bool ended = slice_at(index, next).start == gap.last; // else the profiled time ended first
  (ended && in_microseconds(rest) < result::kKernelWaitUs ? sums.kernel_wait : sums.other_wait) +=
      rest;
  host.late.push_back({gap.first, launched});
  // A wait that the GPU's queue ran empty in costs up to where the host has launched again.
  if (is_within(host.times.blocked, gap.first)) host.after_wait.push_back(host.late.back());
}

void add_gaps(const IntervalSet<Nanoseconds>& gaps, const DeviceWork& work, const TraceIndex& index,
              HostInGaps& host, GpuActivitySums& sums) {
  auto next = work.begin();
  for (const TraceSpan& gap : gaps) {
    while (next != work.end() &&
           index.trace.slices[static_cast<std::size_t>(*next)].start < gap.last)
      ++next;
    add_gap(gap, next == work.end() ? TraceIndex::kNone : *next, index, host, sums);
  }
  // Each moment of a gap has one of these reasons, the first that holds.
  IntervalSet<Nanoseconds> rest = difference(gaps, host.times.loading);
  const auto take = [&](const IntervalSet<Nanoseconds>& reason) {
    const Nanoseconds taken = intersection_length(rest, reason);
    rest = difference(rest, reason);
    return taken;
  };
  sums.setup_wait += take(host.times.setup);
  sums.copy_wait += take(host.times.copying);
  sums.host_sync += take(host.times.blocked);
  sums.outside_wait += take(intersection(host.times.outside, to_set(std::move(host.late))));
  sums.host_sync += take(to_set(std::move(host.after_wait)));
}

/// By its number; ROCm numbers kernels' devices in another way, but one machine has GPUs of one
/// model. Empty: not recorded.
std::string gpu_name(const job::Trace& trace, std::int64_t device) {
  std::set<std::string> names;
  for (const job::GpuProperties& gpu : trace.gpus) {
    if (gpu.id == device) return gpu.name;
    names.insert(gpu.name);
  }
  return names.size() == 1 ? *names.begin() : std::string{};
}

/// Slices of copies between the host and a GPU, by name: each name is looked at once.
class HostCopies {
public:
  explicit HostCopies(const job::Trace& trace)
      : by_name_(trace.names.size()) {
    for (const job::Slice& slice : trace.slices)
      if (slice.kind == job::SliceKind::memcpy && !has(slice))
        by_name_[place(slice)] = copy_kind(trace.names[slice.name]).of_host();
  }

  bool has(const job::Slice& slice) const {
    return slice.kind == job::SliceKind::memcpy && by_name_[place(slice)];
  }

private:
  static std::size_t place(const job::Slice& slice) { return static_cast<std::size_t>(slice.name); }

  std::vector<bool> by_name_;
};

void add_device(const TraceIndex& index, const Coverage<Nanoseconds>& steps, const HostTimes& host,
                const HostCopies& host_copies, const DeviceWork& work, GpuActivitySums& sums) {
  const job::Trace& trace = index.trace;
  const IntervalSet<Nanoseconds>& profiled = steps.set();
  std::vector<TraceSpan> kernels;
  std::vector<TraceSpan> communication;
  std::vector<TraceSpan> memory;
  std::vector<TraceSpan> copies;
  for (const std::int32_t at : work) {
    const job::Slice& slice = trace.slices[static_cast<std::size_t>(at)];
    const Role role = index.roles.of(static_cast<std::size_t>(at));
    auto& list = role == Role::kernel          ? kernels
                 : role == Role::communication ? communication
                 : host_copies.has(slice)      ? copies
                                               : memory;
    add_interval(list, {slice.start, slice.end()});
    sums.streams.insert(trace.tracks[static_cast<std::size_t>(slice.track)].id);
  }
  const auto within = [&](std::vector<TraceSpan> list) {
    return intersection(to_set(std::move(list)), profiled);
  };
  const IntervalSet<Nanoseconds> kernel_set = within(std::move(kernels));
  const IntervalSet<Nanoseconds> communication_set = within(std::move(communication));
  const IntervalSet<Nanoseconds> memory_set = within(std::move(memory));
  const IntervalSet<Nanoseconds> copy_set = within(std::move(copies));
  const IntervalSet<Nanoseconds> works =
      set_union(set_union(kernel_set, communication_set), memory_set);
  const IntervalSet<Nanoseconds> busy = set_union(works, copy_set);
  sums.profiled += steps.length();
  sums.busy += total_length(busy);
  sums.kernel += total_length(kernel_set);
  sums.communication += total_length(communication_set);
  sums.memory += total_length(set_union(memory_set, copy_set));
  sums.copy += total_length(copy_set);
  sums.copy_alone += total_length(difference(difference(copy_set, works), host.collectives));
  HostInGaps in_gaps{host, {}, {}};
  add_gaps(difference(profiled, busy), work, index, in_gaps, sums);
  sums.sm.add(sm_times(trace, work, steps));
}

result::GpuActivity row_of(const std::string& process, std::int64_t device,
                           const GpuActivitySums& sums) {
  result::GpuActivity row;
  row.process = process;
  row.device = device;
  row.gpu = sums.gpu;
  row.profiled_us = in_microseconds(sums.profiled);
  row.busy_us = in_microseconds(sums.busy);
  row.kernel_us = in_microseconds(sums.kernel);
  row.communication_us = in_microseconds(sums.communication);
  row.memory_us = in_microseconds(sums.memory);
  row.copy_us = in_microseconds(sums.copy);
  row.copy_alone_us = in_microseconds(sums.copy_alone);
  row.streams = static_cast<std::int64_t>(sums.streams.size());
  row.sm_efficiency = sums.sm.efficiency(sums.profiled);
  row.occupancy = sums.sm.occupancy();
  row.idle_us = in_microseconds(sums.profiled - sums.busy);
  row.host_wait_us = in_microseconds(sums.host_wait);
  row.kernel_wait_us = in_microseconds(sums.kernel_wait);
  row.other_wait_us = in_microseconds(sums.other_wait);
  row.setup_wait_us = in_microseconds(sums.setup_wait);
  row.copy_wait_us = in_microseconds(sums.copy_wait);
  row.host_sync_us = in_microseconds(sums.host_sync);
  row.outside_wait_us = in_microseconds(sums.outside_wait);
  return row;
}

} // namespace

std::vector<result::GpuActivity> gpu_activity(std::span<const TraceIndex> traces) {
  // Processes in the order of their first trace, so that rows do not depend on who is done first.
  std::vector<std::vector<const TraceIndex*>> processes;
  std::map<std::string_view, std::size_t> places;
  for (const TraceIndex& index : traces) {
    const auto [place, is_new] = places.try_emplace(index.trace.process, processes.size());
    if (is_new) processes.emplace_back();
    processes[place->second].push_back(&index);
  }
  std::vector<std::vector<result::GpuActivity>> per_process(processes.size());
  parallel_for(processes.size(), [&](std::size_t i) {
    std::map<std::int64_t, GpuActivitySums> devices;
    for (const TraceIndex* index : processes[i]) {
      const Coverage<Nanoseconds> profiled{profiled_time(*index)};
      const HostTimes host = host_times(*index);
      const HostCopies host_copies{index->trace};
      for (const auto& [device, work] : work_by_device(index->trace)) {
        GpuActivitySums& sums = devices[device];
        if (sums.gpu.empty()) sums.gpu = gpu_name(index->trace, device);
        add_device(*index, profiled, host, host_copies, work, sums);
      }
    }
    for (const auto& [device, sums] : devices)
      per_process[i].push_back(row_of(processes[i].front()->trace.process, device, sums));
  });
  std::vector<result::GpuActivity> rows;
  for (auto& list : per_process)
    std::move(list.begin(), list.end(), std::back_inserter(rows));
  return rows;
}

} // namespace debrief::aggregate

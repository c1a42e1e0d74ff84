#include "aggregate/trace/gpu_activity.h"

#include "aggregate/trace/intervals.h"
#include "aggregate/trace/roles.h"
#include "aggregate/trace/sm_efficiency.h"
#include "util/sort_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace debrief::aggregate {

namespace {

/// One device during one trace, and sums over several.
struct GpuActivitySums {
  std::string gpu;
  Nanoseconds profiled = 0;
  Nanoseconds busy = 0;
  Nanoseconds kernel = 0;
  Nanoseconds communication = 0;
  Nanoseconds memory = 0;
  Nanoseconds host_wait = 0;
  Nanoseconds kernel_wait = 0;
  Nanoseconds other_wait = 0;
  SmTimes sm;
  std::set<std::int64_t> streams;
};

using DeviceWork = std::vector<std::int32_t>; ///< slices of one device, by start

/// GPU work by device.
std::map<std::int64_t, DeviceWork> work_by_device(const job::Trace& trace) {
  std::map<std::int64_t, DeviceWork> devices;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (job::is_gpu_work(slice.kind) && slice.duration > 0)
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

/// `next` is the first work that starts at the end of the gap or later; kNone: there is none.
Nanoseconds GpuActivitySums::*reason_of(const NsInterval& gap, std::int32_t next,
                                        const TraceIndex& index) {
  const auto slice = [&](std::int32_t at) -> const job::Slice& {
    return index.trace.slices[static_cast<std::size_t>(at)];
  };
  if (next == TraceIndex::kNone) return &GpuActivitySums::other_wait;
  const std::int32_t launch = index.launch[static_cast<std::size_t>(next)];
  if (launch == TraceIndex::kNone) return &GpuActivitySums::other_wait;
  if (slice(launch).start > gap.start) return &GpuActivitySums::host_wait;
  const bool ended = slice(next).start == gap.end; // else the profiled time ended first
  return ended && to_us(gap.end - gap.start) < result::kKernelWaitUs ? &GpuActivitySums::kernel_wait
                                                                     : &GpuActivitySums::other_wait;
}

void add_gaps(const IntervalSet& gaps, const DeviceWork& work, const TraceIndex& index,
              GpuActivitySums& sums) {
  auto next = work.begin();
  for (const NsInterval& gap : gaps) {
    while (next != work.end() &&
           index.trace.slices[static_cast<std::size_t>(*next)].start < gap.end)
      ++next;
    sums.*reason_of(gap, next == work.end() ? TraceIndex::kNone : *next, index) +=
        gap.end - gap.start;
  }
}

void add_device(const TraceIndex& index, const Roles& roles, const IntervalSet& profiled,
                const DeviceWork& work, GpuActivitySums& sums) {
  const job::Trace& trace = index.trace;
  std::vector<NsInterval> kernels;
  std::vector<NsInterval> communication;
  std::vector<NsInterval> memory;
  for (const std::int32_t at : work) {
    const job::Slice& slice = trace.slices[static_cast<std::size_t>(at)];
    const Role role = roles.of(slice);
    auto& list = role == Role::kernel          ? kernels
                 : role == Role::communication ? communication
                                               : memory;
    add_interval(list, {slice.start, slice.end()});
    sums.streams.insert(trace.tracks[static_cast<std::size_t>(slice.track)].id);
  }
  const auto within = [&](std::vector<NsInterval> list) {
    return intersection(to_set(std::move(list)), profiled);
  };
  const IntervalSet kernel_set = within(std::move(kernels));
  const IntervalSet communication_set = within(std::move(communication));
  const IntervalSet memory_set = within(std::move(memory));
  const IntervalSet busy = set_union(set_union(kernel_set, communication_set), memory_set);
  sums.profiled += length(profiled);
  sums.busy += length(busy);
  sums.kernel += length(kernel_set);
  sums.communication += length(communication_set);
  sums.memory += length(memory_set);
  add_gaps(difference(profiled, busy), work, index, sums);
  sums.sm.add(sm_times(trace, work, profiled));
}

result::GpuActivity row_of(const std::string& process, std::int64_t device,
                           const GpuActivitySums& sums) {
  result::GpuActivity row;
  row.process = process;
  row.device = device;
  row.gpu = sums.gpu;
  row.profiled_us = to_us(sums.profiled);
  row.busy_us = to_us(sums.busy);
  row.kernel_us = to_us(sums.kernel);
  row.communication_us = to_us(sums.communication);
  row.memory_us = to_us(sums.memory);
  row.streams = static_cast<std::int64_t>(sums.streams.size());
  row.sm_efficiency = sums.sm.efficiency(sums.profiled);
  row.occupancy = sums.sm.occupancy();
  row.idle_us = to_us(sums.profiled - sums.busy);
  row.host_wait_us = to_us(sums.host_wait);
  row.kernel_wait_us = to_us(sums.kernel_wait);
  row.other_wait_us = to_us(sums.other_wait);
  return row;
}

} // namespace

std::vector<result::GpuActivity> gpu_activity(std::span<const TraceIndex> indices) {
  std::vector<std::pair<std::string, std::map<std::int64_t, GpuActivitySums>>> processes;
  for (const TraceIndex& index : indices) {
    const job::Trace& trace = index.trace;
    const auto same = [&](const auto& process) { return process.first == trace.process; };
    auto process = std::find_if(processes.begin(), processes.end(), same);
    if (process == processes.end()) process = processes.insert(process, {trace.process, {}});
    const Roles roles{trace};
    const IntervalSet profiled = profiled_time(index);
    for (const auto& [device, work] : work_by_device(trace)) {
      GpuActivitySums& sums = process->second[device];
      for (const job::GpuProperties& gpu : trace.gpus)
        if (gpu.id == device && sums.gpu.empty()) sums.gpu = gpu.name;
      add_device(index, roles, profiled, work, sums);
    }
  }
  std::vector<result::GpuActivity> rows;
  for (const auto& [process, devices] : processes)
    for (const auto& [device, sums] : devices)
      rows.push_back(row_of(process, device, sums));
  return rows;
}

} // namespace debrief::aggregate

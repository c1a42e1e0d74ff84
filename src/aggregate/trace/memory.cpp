#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/parallel.h"
#include "util/seeded_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace debrief::aggregate {

namespace {

using Events = std::vector<const job::MemoryEvent*>;

/// Whether it is the CPU, and the GPU's number.
using Device = std::pair<bool, std::int16_t>;

/// What one cycle recorded of one device.
struct Cycle {
  const TraceIndex* index = nullptr;
  Events events;
  std::vector<MemoryLevel> levels; ///< after each event
};

/// Blocks that were allocated among the first `count` events and not freed since, by the order of
/// events.
Events alive(const Events& events, std::size_t count) {
  std::unordered_map<std::uint64_t, std::size_t, SeededHash>
      blocks; // by address; an address is used again
  for (std::size_t i = 0; i < count; ++i) {
    if (events[i]->bytes > 0) blocks[events[i]->address] = i;
    if (events[i]->bytes < 0) blocks.erase(events[i]->address); // often of a block never seen
  }
  std::vector<std::size_t> places;
  for (const auto& [address, place] : blocks)
    places.push_back(place);
  std::sort(places.begin(), places.end());
  Events out;
  for (const std::size_t place : places)
    out.push_back(events[place]);
  return out;
}

std::int64_t bytes_of(const Events& blocks) {
  std::int64_t sum = 0;
  for (const job::MemoryEvent* block : blocks)
    if (__builtin_add_overflow(sum, block->bytes, &sum)) return INT64_MAX;
  return sum;
}

std::size_t highest(const std::vector<MemoryLevel>& levels) {
  const auto less = [](const MemoryLevel& a, const MemoryLevel& b) {
    return a.allocated < b.allocated;
  };
  return static_cast<std::size_t>(std::max_element(levels.begin(), levels.end(), less) -
                                  levels.begin());
}

/// Recorded totals, unless they cannot be.
std::vector<MemoryLevel> levels_of(const Events& events) {
  if (!events.front()->gpu) return summed_levels(events);
  std::vector<MemoryLevel> levels = recorded_levels(events);
  const std::size_t peak = highest(levels);
  const bool believable = bytes_of(alive(events, peak + 1)) <= levels[peak].allocated;
  return believable ? levels : summed_levels(events);
}

void add_holders(const Cycle& cycle, const Events& blocks, result::DeviceMemory& memory) {
  const OpenSlices open{*cycle.index};
  std::map<std::pair<std::string_view, std::string_view>, result::MemoryHolder> sums;
  for (const job::MemoryEvent* block : blocks) {
    const std::int32_t around = open.at(block->track, block->time);
    const auto op = name_or_empty(*cycle.index, innermost_op(*cycle.index, around));
    const auto outer = name_or_empty(*cycle.index, outermost_cause(*cycle.index, around));
    result::MemoryHolder& holder = sums[{op, outer}];
    if (__builtin_add_overflow(holder.bytes, block->bytes, &holder.bytes)) holder.bytes = INT64_MAX;
    ++holder.blocks;
  }
  for (auto& [names, holder] : sums) {
    holder.op = names.first;
    holder.outer = names.second;
    memory.holders.push_back(std::move(holder));
  }
  std::vector<result::MemoryHolder>& holders = memory.holders;
  std::stable_sort(holders.begin(), holders.end(),
                   [](const result::MemoryHolder& a, const result::MemoryHolder& b) {
                     return a.bytes > b.bytes;
                   });
  if (holders.size() <= result::kMaxHolders) return;
  result::MemoryHolder rest;
  rest.other_count = static_cast<std::int64_t>(holders.size() - result::kMaxHolders + 1);
  for (std::size_t i = result::kMaxHolders - 1; i < holders.size(); ++i) {
    if (__builtin_add_overflow(rest.bytes, holders[i].bytes, &rest.bytes)) rest.bytes = INT64_MAX;
    rest.blocks += holders[i].blocks;
  }
  holders.resize(result::kMaxHolders - 1);
  holders.push_back(std::move(rest));
}

void add_step_ends(const Cycle& cycle, std::vector<StepEndLevel>& ends) {
  for (const TraceStep& step : cycle.index->steps) {
    const auto after = std::upper_bound(
        cycle.levels.begin(), cycle.levels.end(), step.host_end,
        [](Nanoseconds time, const MemoryLevel& level) { return time < level.time; });
    if (step.number && after != cycle.levels.begin())
      ends.push_back({*step.number, std::prev(after)->allocated});
  }
}

result::DeviceMemory summary(const std::string& process, const Device& device,
                             const std::vector<Cycle>& cycles) {
  result::DeviceMemory memory;
  memory.process = process;
  memory.device = device.first ? "CPU" : fmt::format("GPU {}", device.second);
  std::vector<MemoryLevel> curve;
  std::vector<StepEndLevel> ends;
  const Cycle* of_peak = nullptr;
  std::size_t peak = 0;
  for (const Cycle& cycle : cycles) {
    for (const job::GpuProperties& gpu : cycle.index->trace.gpus)
      if (!device.first && gpu.id == device.second) memory.capacity = gpu.memory;
    memory.events += static_cast<std::int64_t>(cycle.events.size());
    for (const MemoryLevel& level : cycle.levels)
      memory.peak_reserved = std::max(memory.peak_reserved, level.reserved);
    const std::size_t top = highest(cycle.levels);
    if (of_peak == nullptr || cycle.levels[top].allocated > of_peak->levels[peak].allocated) {
      of_peak = &cycle;
      peak = top;
    }
    add_step_ends(cycle, ends);
    curve.insert(curve.end(), cycle.levels.begin(), cycle.levels.end());
  }
  thin_into(curve, memory);
  memory.growth_per_step = growth_per_step(ends);
  Events blocks = alive(of_peak->events, peak + 1);
  if (bytes_of(blocks) == INT64_MAX) blocks.clear(); // sizes that no machine has
  memory.peak_allocated = of_peak->levels[peak].allocated;
  memory.clock_known = std::any_of(cycles.begin(), cycles.end(), [](const Cycle& cycle) {
    return cycle.index->trace.clock_known;
  });
  memory.peak_time = to_microseconds(of_peak->levels[peak].time);
  memory.before_trace = memory.peak_allocated - bytes_of(blocks);
  add_holders(*of_peak, blocks, memory);
  memory.by_category = memory_by_category(*of_peak->index, of_peak->events, of_peak->levels);
  return memory;
}

std::vector<result::DeviceMemory> memory_of(const TracedProcess& process) {
  std::map<Device, std::vector<Cycle>> devices;
  for (const TraceIndex* index : process.cycles)
    for (const job::MemoryEvent& event : index->trace.memory) {
      std::vector<Cycle>& cycles =
          devices[{!event.gpu, event.gpu ? event.device : std::int16_t{-1}}];
      if (cycles.empty() || cycles.back().index != index) cycles.push_back({index, {}, {}});
      cycles.back().events.push_back(&event);
    }
  std::vector<result::DeviceMemory> rows;
  for (auto& [device, cycles] : devices) {
    for (Cycle& cycle : cycles)
      cycle.levels = levels_of(cycle.events);
    rows.push_back(summary(process.name, device, cycles));
  }
  return rows;
}

} // namespace

std::vector<result::DeviceMemory> device_memory(std::span<const TraceIndex> traces) {
  const std::vector<TracedProcess> processes = by_process(traces);
  std::vector<std::vector<result::DeviceMemory>> rows(processes.size());
  parallel_for(processes.size(), [&](std::size_t i) { rows[i] = memory_of(processes[i]); });
  std::vector<result::DeviceMemory> all;
  for (std::vector<result::DeviceMemory>& of_process : rows)
    std::move(of_process.begin(), of_process.end(), std::back_inserter(all));
  return all;
}

std::vector<MemoryLevel> recorded_levels(std::span<const job::MemoryEvent* const> events) {
  std::vector<MemoryLevel> levels;
  levels.reserve(events.size());
  for (const job::MemoryEvent* event : events)
    levels.push_back({event->time, event->allocated, event->reserved});
  return levels;
}

std::vector<MemoryLevel> summed_levels(std::span<const job::MemoryEvent* const> events) {
  std::vector<MemoryLevel> levels;
  levels.reserve(events.size());
  std::int64_t sum = 0;
  std::int64_t lowest = 0;
  for (const job::MemoryEvent* event : events) {
    if (__builtin_add_overflow(sum, event->bytes, &sum)) sum = 0; // no machine has so much
    lowest = std::min(lowest, sum);
    levels.push_back({event->time, sum, event->gpu ? event->reserved : 0});
  }
  for (MemoryLevel& level : levels)
    if (__builtin_sub_overflow(level.allocated, lowest, &level.allocated)) level.allocated = 0;
  return levels;
}

void thin_into(const std::vector<MemoryLevel>& levels, result::DeviceMemory& memory) {
  const auto keep = [&](const MemoryLevel& level) {
    memory.times.push_back(to_microseconds(level.time));
    memory.allocated.push_back(level.allocated);
    memory.reserved.push_back(level.reserved);
  };
  if (levels.size() <= result::kMaxMemoryPoints) {
    std::for_each(levels.begin(), levels.end(), keep);
    return;
  }
  constexpr std::size_t kKept = 3; // of each stretch
  constexpr std::size_t kStretches = (result::kMaxMemoryPoints - 2) / kKept;
  const auto less_allocated = [](const MemoryLevel& a, const MemoryLevel& b) {
    return a.allocated < b.allocated;
  };
  const auto less_reserved = [](const MemoryLevel& a, const MemoryLevel& b) {
    return a.reserved < b.reserved;
  };
  keep(levels.front());
  const std::size_t inner = levels.size() - 2;
  for (std::size_t stretch = 0; stretch < kStretches; ++stretch) {
    const auto at = [&](std::size_t part) {
      return levels.begin() + 1 + static_cast<std::ptrdiff_t>(part * inner / kStretches);
    };
    const auto first = at(stretch);
    const auto last = at(stretch + 1);
    std::array picks = {std::min_element(first, last, less_allocated),
                        std::max_element(first, last, less_allocated),
                        std::max_element(first, last, less_reserved)};
    std::sort(picks.begin(), picks.end());
    const auto end = std::unique(picks.begin(), picks.end());
    std::for_each(picks.begin(), end, [&](const auto& pick) { keep(*pick); });
  }
  keep(levels.back());
}

std::optional<double> growth_per_step(std::span<const StepEndLevel> ends) {
  if (ends.size() < 3) return std::nullopt;
  const auto count = static_cast<double>(ends.size());
  double mean_step = 0;
  double mean_level = 0;
  for (const StepEndLevel& end : ends) {
    mean_step += static_cast<double>(end.step) / count;
    mean_level += static_cast<double>(end.allocated) / count;
  }
  double together = 0;
  double squares = 0;
  for (const StepEndLevel& end : ends) {
    const double step = static_cast<double>(end.step) - mean_step;
    together += step * (static_cast<double>(end.allocated) - mean_level);
    squares += step * step;
  }
  if (squares <= 0) return std::nullopt;
  return together / squares;
}

} // namespace debrief::aggregate

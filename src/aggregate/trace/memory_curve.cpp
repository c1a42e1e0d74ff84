#include "aggregate/trace/memory_curve.h"

#include <algorithm>
#include <array>

namespace debrief::aggregate {

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
    memory.times.push_back(level.time / 1000);
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

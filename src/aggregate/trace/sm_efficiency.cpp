#include "aggregate/trace/sm_efficiency.h"

#include "util/sort_runs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace debrief::aggregate {

void SmTimes::add(const SmTimes& other) {
  filled += other.filled;
  occupied += other.occupied;
  with_blocks += other.with_blocks;
  with_occupancy += other.with_occupancy;
}

std::optional<double> SmTimes::efficiency(Nanoseconds profiled) const {
  if (with_blocks <= 0 || profiled <= 0) return std::nullopt;
  return 100 * filled / static_cast<double>(profiled);
}

std::optional<double> SmTimes::occupancy() const {
  if (with_occupancy <= 0) return std::nullopt;
  return occupied / static_cast<double>(with_occupancy);
}

SmTimes sm_times(const job::Trace& trace, std::span<const std::int32_t> work,
                 const IntervalSet& profiled) {
  // Shares in whole numbers, so that what is added is taken away exactly.
  constexpr std::int64_t kWhole = 1 << 20;
  std::vector<std::pair<Nanoseconds, std::int64_t>> changes;
  SmTimes times;
  for (const std::int32_t at : work) {
    const job::Slice& slice = trace.slices[static_cast<std::size_t>(at)];
    if (slice.kind != job::SliceKind::kernel || slice.details < 0) continue;
    const job::LaunchArgs& launch = trace.launches[static_cast<std::size_t>(slice.details)];
    const Nanoseconds inside = length_within(profiled, {slice.start, slice.end()});
    if (std::isfinite(launch.occupancy) && launch.occupancy >= 0) {
      times.occupied += static_cast<double>(launch.occupancy) * static_cast<double>(inside);
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
    const Nanoseconds inside = length_within(profiled, {changes[i].first, changes[i + 1].first});
    times.filled += static_cast<double>(inside) *
                    (static_cast<double>(std::min(level, kWhole)) / static_cast<double>(kWhole));
  }
  return times;
}

} // namespace debrief::aggregate

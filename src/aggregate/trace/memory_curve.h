// The allocator's levels over time on one device: of one profiling cycle, and thinned for drawing.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// After one event.
struct MemoryLevel {
  Nanoseconds time = 0;
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
};

/// The totals that the recorder gives with each event.
std::vector<MemoryLevel> recorded_levels(std::span<const job::MemoryEvent* const> events);

/// Running sums of the events' bytes, raised so that none is negative.
std::vector<MemoryLevel> summed_levels(std::span<const job::MemoryEvent* const> events);

/// The first, the last, and of each stretch of as many events the lowest and highest allocation and
/// the highest reservation: at most kMaxMemoryPoints, peaks kept.
void thin_into(const std::vector<MemoryLevel>& levels, result::DeviceMemory& memory);

/// A step, and what was allocated at its end.
struct StepEndLevel {
  std::int64_t step = 0;
  std::int64_t allocated = 0;
};

/// Bytes per step by least squares; nothing for fewer than three different steps.
std::optional<double> growth_per_step(std::span<const StepEndLevel> ends);

} // namespace debrief::aggregate

// What PyTorch's allocator did while it was traced.
#pragma once

#include "util/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// Memory that one operator holds at the peak.
struct MemoryHolder {
  std::string op;    ///< innermost operator that allocated it; "" : none around it
  std::string outer; ///< outermost operator or annotation around it that is not a step
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;
  /// How many that have no row of their own this one sums up; absent: it is one operator.
  std::optional<std::int64_t> other_count = {};
};

/// What memory is for, as far as the moments of its allocation and release tell.
inline constexpr const char* kMemoryCategories[] = {"parameters and optimizer state", "gradients",
                                                    "activations", "temporary"};

/// Bytes of each category over the profiling cycle of the peak: an estimate.
struct MemoryByCategory {
  std::vector<Microseconds> times; ///< at most kMaxCategoryPoints
  /// By category, as kMemoryCategories, then moment.
  std::vector<std::vector<std::int64_t>> bytes;

  bool empty() const { return times.empty(); }
};

/// What the allocator did on one device for one process.
struct DeviceMemory {
  std::string process;
  std::string device;                   ///< "GPU 0", "CPU"
  std::optional<std::int64_t> capacity; ///< bytes, of the GPU
  std::vector<Microseconds>
      times; ///< of the curve below: at most kMaxMemoryPoints, peaks kept; not in the JSON
  std::vector<std::int64_t> allocated;
  std::vector<std::int64_t> reserved;
  std::int64_t events = 0;
  std::int64_t peak_allocated = 0;
  std::int64_t peak_reserved = 0;
  bool clock_known = true;               ///< false: its times are of unknown origin
  std::optional<Microseconds> peak_time; ///< as the times of the curve
  std::int64_t before_trace =
      0; ///< bytes held at the peak that were allocated before the trace began
  std::vector<MemoryHolder> holders; ///< at the peak, most bytes first; the first kMaxHolders
  std::optional<double>
      growth_per_step;          ///< bytes: least squares through the allocation at each step's end
  MemoryByCategory by_category; ///< not in the JSON; empty: no step was profiled, or no GPU
};

inline constexpr std::size_t kMaxMemoryPoints = 1000;
inline constexpr std::size_t kMaxHolders = 20;
inline constexpr std::size_t kMaxCategoryPoints = 120;

} // namespace debrief::result

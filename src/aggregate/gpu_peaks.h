// What GPUs can do at best, by model: the one table of it. docs/performance.md shows it with its
// sources, and a test compares both.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace debrief::aggregate {

/// Columns of the table. Matrices where the GPU has units for them; fp32 is whole fp32.
inline constexpr std::array<std::string_view, 8> kPeakPrecisions = {"fp64", "fp32", "tf32", "bf16",
                                                                    "fp16", "fp8",  "int8", "fp4"};

struct GpuPeak {
  std::string_view model;
  /// TFLOP/s (int8: TOP/s), dense, in the order of kPeakPrecisions; 0: it has no such units.
  std::array<double, kPeakPrecisions.size()> tflops;
  double tb_per_second; ///< of its memory

  /// Nothing where the precision is not known, or the GPU has no units for it.
  std::optional<double> of(std::string_view precision) const;
};

/// All rows.
std::span<const GpuPeak> gpu_peaks();

/// The row that a trace's GPU belongs to ("NVIDIA A100-SXM4-80GB"); null where none fits. `memory`,
/// in bytes, tells models of one name apart. A model that the table does not have is never taken
/// for another one.
const GpuPeak* find_gpu_peak(std::string_view name, std::optional<std::int64_t> memory);

} // namespace debrief::aggregate

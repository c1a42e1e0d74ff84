#include "aggregate/gpu_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace debrief::aggregate {

namespace {

// Dense figures at boost clocks out of the makers' data sheets; see docs/performance.md. An AMD
// MI250X shows up as two GPUs, so its row is half of a card.
constexpr std::array<GpuPeak, 24> kPeaks = {{
    //                    fp64   fp32   tf32   bf16    fp16    fp8     int8    fp4    TB/s
    {"V100 SXM2", {7.8, 15.7, 0, 0, 125, 0, 0, 0}, 0.9},
    {"V100 PCIe", {7, 14, 0, 0, 112, 0, 0, 0}, 0.9},
    {"T4", {0, 8.1, 0, 0, 65, 0, 130, 0}, 0.32},
    {"A10", {0, 31.2, 62.5, 125, 125, 0, 250, 0}, 0.6},
    {"A100 40GB", {19.5, 19.5, 156, 312, 312, 0, 624, 0}, 1.555},
    {"A100 80GB SXM", {19.5, 19.5, 156, 312, 312, 0, 624, 0}, 2.039},
    {"A100 80GB PCIe", {19.5, 19.5, 156, 312, 312, 0, 624, 0}, 1.935},
    {"L4", {0, 30.3, 60, 121, 121, 242.5, 242.5, 0}, 0.3},
    {"L40S", {0, 91.6, 183, 362, 362, 733, 733, 0}, 0.864},
    {"H100 SXM", {67, 67, 494.5, 989.5, 989.5, 1979, 1979, 0}, 3.35},
    {"H100 PCIe", {51, 51, 378, 756, 756, 1513, 1513, 0}, 2.0},
    {"H100 NVL", {60, 60, 417.5, 835.5, 835.5, 1670.5, 1670.5, 0}, 3.9},
    {"H200 SXM", {67, 67, 494.5, 989.5, 989.5, 1979, 1979, 0}, 4.8},
    {"H200 NVL", {60, 60, 417.5, 835.5, 835.5, 1670.5, 1670.5, 0}, 4.8},
    {"B200", {37, 75, 1125, 2250, 2250, 4500, 4500, 9000}, 8.0},
    {"GB200", {40, 80, 1250, 2500, 2500, 5000, 5000, 10000}, 8.0},
    {"RTX 3090", {0, 35.6, 35.6, 71, 71, 0, 284, 0}, 0.936},
    {"RTX 4090", {0, 82.6, 82.6, 165.2, 165.2, 330.3, 660.6, 0}, 1.008},
    {"MI210", {45.3, 45.3, 0, 181, 181, 0, 181, 0}, 1.6},
    {"MI250X, one of two dies", {47.9, 47.9, 0, 191.5, 191.5, 0, 191.5, 0}, 1.6},
    {"MI300X", {163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 2614.9, 0}, 5.3},
    {"MI325X", {163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 2614.9, 0}, 6.0},
    {"MI350X", {72.1, 144.2, 0, 2306.9, 2306.9, 4613.7, 4613.7, 9227.5}, 8.0},
    {"MI355X", {78.6, 157.3, 0, 2516.6, 2516.6, 5033.2, 5033.2, 10066.3}, 8.0},
}};

/// "NVIDIA A100-SXM4-80GB" -> " NVIDIA A100 SXM4 80GB ": words with a space around each.
std::string words_of(std::string_view name) {
  std::string out = " ";
  for (const char c : name)
    out += c == '-' || c == '/' || c == '_' || c == '(' || c == ')' ? ' ' : c;
  return out += ' ';
}

const GpuPeak* row_of(std::string_view model) {
  const auto found = std::find_if(kPeaks.begin(), kPeaks.end(),
                                  [&](const GpuPeak& peak) { return peak.model == model; });
  return found == kPeaks.end() ? nullptr : &*found;
}

} // namespace

std::optional<double> GpuPeak::of(std::string_view precision) const {
  const auto found = std::find(kPeakPrecisions.begin(), kPeakPrecisions.end(), precision);
  if (found == kPeakPrecisions.end()) return std::nullopt;
  const double peak = tflops[static_cast<std::size_t>(found - kPeakPrecisions.begin())];
  return peak > 0 ? std::optional{peak} : std::nullopt;
}

std::span<const GpuPeak> gpu_peaks() {
  return kPeaks;
}

const GpuPeak* find_gpu_peak(std::string_view name, std::optional<std::int64_t> memory) {
  constexpr std::int64_t kGigabyte = 1'000'000'000;
  const std::string words = words_of(name);
  const auto has = [&](std::string_view word) {
    return words.find(fmt::format(" {} ", word)) != words.npos;
  };
  const auto mentions = [&](std::string_view part) { return words.find(part) != words.npos; };
  const bool pcie = mentions("PCIE") || mentions("PCIe");
  if (has("V100")) return row_of(pcie ? "V100 PCIe" : "V100 SXM2");
  if (has("A100")) {
    if (!memory && !has("40GB") && !has("80GB")) return nullptr;
    const bool large = has("80GB") || (!has("40GB") && memory.value_or(0) > 60 * kGigabyte);
    return row_of(!large ? "A100 40GB" : pcie ? "A100 80GB PCIe" : "A100 80GB SXM");
  }
  if (has("H100")) return row_of(has("NVL") ? "H100 NVL" : pcie ? "H100 PCIe" : "H100 SXM");
  if (has("H200")) return row_of(has("NVL") ? "H200 NVL" : "H200 SXM");
  if (has("RTX")) return row_of(has("3090") ? "RTX 3090" : has("4090") ? "RTX 4090" : "");
  if (has("MI250X")) return row_of("MI250X, one of two dies");
  for (const std::string_view model : {"T4", "A10", "L4", "L40S", "GB200", "B200", "MI210",
                                       "MI300X", "MI325X", "MI350X", "MI355X"})
    if (has(model)) return row_of(model);
  return nullptr;
}

} // namespace debrief::aggregate

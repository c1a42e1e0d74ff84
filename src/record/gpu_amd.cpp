// AMD GPUs, by the files of their kernel driver: /sys/class/drm/card0/device.
#include "record/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace debrief::record {

namespace {

constexpr const char* kAmd = "0x1002";

/// A file with a number in it, and the unit that the line has it in.
struct AmdValue {
  ProcFile file;
  MetricLines::Id id = 0;
  double scale = 1;
};

struct AmdGpu {
  AmdValue busy; ///< percent; its file is not open where the driver has none
  std::vector<AmdValue> values;
  ProcFile memory_used;
  double memory_total = 0; ///< bytes
  MetricLines::Id memory_share = 0;
  MetricLines::Id memory_bytes = 0;
};

std::optional<double> number_now(const ProcFile& file, Scratch& scratch) {
  std::string_view text = file.read(scratch);
  const auto number = to_number(next_line(text));
  return number ? std::optional{static_cast<double>(*number)} : std::nullopt;
}

class AmdSource : public Source {
public:
  explicit AmdSource(std::vector<AmdGpu> gpus)
      : gpus_(std::move(gpus)) {}

  void sample(std::optional<double> /*seconds*/, Scratch& scratch, MetricLines& lines) override {
    busiest_.reset();
    for (const AmdGpu& gpu : gpus_) {
      if (const auto busy = number_now(gpu.busy.file, scratch)) {
        lines.add(gpu.busy.id, *busy);
        busiest_ = std::max(busiest_.value_or(0), *busy);
      }
      for (const AmdValue& value : gpu.values)
        if (const auto number = number_now(value.file, scratch))
          lines.add(value.id, value.scale * *number);
      if (const auto used = number_now(gpu.memory_used, scratch); used && gpu.memory_total > 0) {
        lines.add(gpu.memory_share, std::min(100.0, 100 * *used / gpu.memory_total));
        lines.add(gpu.memory_bytes, *used);
      }
    }
  }

  std::optional<double> busiest_gpu() const override { return busiest_; }

private:
  std::vector<AmdGpu> gpus_;
  std::optional<double> busiest_;
};

/// The folder of the card's sensors; empty where it has none.
std::string sensors_of(const std::string& device) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{device + "/hwmon", error})
    return entry.path().string();
  return "";
}

AmdGpu make_amd_gpu(const std::string& device, const std::string& name, MetricLines& lines) {
  AmdGpu gpu;
  const auto add = [&](const std::string& path, const char* dimension, int decimals, double scale) {
    ProcFile file{path};
    if (!file.is_open()) return false;
    gpu.values.push_back(
        {std::move(file), lines.add_series("gpu", name, dimension, decimals), scale});
    return true;
  };
  gpu.busy.file = ProcFile{device + "/gpu_busy_percent"};
  if (gpu.busy.file.is_open()) gpu.busy.id = lines.add_series("gpu", name, "GPUUtilization");
  add(device + "/mem_busy_percent", "GPUMemoryBusyPercent", 2, 1);
  if (const std::string sensors = sensors_of(device); !sensors.empty()) {
    if (!add(sensors + "/power1_average", "GPUPowerWatts", 2, 1e-6))
      add(sensors + "/power1_input", "GPUPowerWatts", 2, 1e-6);
    add(sensors + "/power1_cap", "GPUPowerLimitWatts", 2, 1e-6);
    add(sensors + "/temp1_input", "GPUTemperatureCelsius", 0, 1e-3);
    add(sensors + "/freq1_input", "GPUSMClockMHz", 0, 1e-6);
    add(sensors + "/freq2_input", "GPUMemoryClockMHz", 0, 1e-6);
  }
  const auto total = to_number(first_line_of(device + "/mem_info_vram_total"));
  gpu.memory_total = total ? static_cast<double>(*total) : 0;
  gpu.memory_used = ProcFile{device + "/mem_info_vram_used"};
  if (gpu.memory_used.is_open()) {
    gpu.memory_share = lines.add_series("gpu", name, "GPUMemoryUtilization");
    gpu.memory_bytes = lines.add_series("gpu", name, "GPUMemoryUsedBytes", 0);
  }
  return gpu;
}

/// Numbers of cards ("card12"), ascending; connectors ("card0-DP-1") are none.
std::vector<std::uint64_t> card_numbers(const std::string& folder) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{folder, error}) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("card")) continue;
    if (const auto number = to_number(std::string_view{name}.substr(4))) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

} // namespace

std::unique_ptr<Source> make_amd_source(const Roots& roots, MetricLines& lines,
                                        GpuInventory& inventory) {
  const std::string folder = roots.sys + "/class/drm";
  std::vector<AmdGpu> gpus;
  for (const std::uint64_t number : card_numbers(folder)) {
    const std::string device = fmt::format("{}/card{}/device", folder, number);
    if (first_line_of(device + "/vendor") != kAmd) continue;
    const std::string product = first_line_of(device + "/product_name");
    inventory.gpus.push_back(
        {product.empty() ? "AMD GPU" : product, first_line_of(device + "/unique_id")});
    gpus.push_back(make_amd_gpu(device, fmt::format("gpu{}", inventory.gpus.size() - 1), lines));
  }
  if (gpus.empty()) return nullptr;
  return std::make_unique<AmdSource>(std::move(gpus));
}

} // namespace debrief::record

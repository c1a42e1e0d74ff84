#include "ingest/trackers/wandb_stats.h"

#include <algorithm>
#include <cctype>

namespace debrief::ingest::trackers {

namespace {

constexpr double kMebibyte = 1024.0 * 1024;

constexpr GpuName kWandbGpuNames[] = {
    {"gpu", "GPUUtilization"},
    {"memory", "GPUMemoryBusyPercent"},
    {"memoryAllocated", "GPUMemoryUtilization"},
    {"memoryAllocatedBytes", "GPUMemoryUsedBytes"},
    {"temp", "GPUTemperatureCelsius"},
    {"powerWatts", "GPUPowerWatts"},
    {"enforcedPowerLimitWatts", "GPUPowerLimitWatts"},
    {"energyJoules", "GPUEnergyJoules"},
    {"smClock", "GPUSMClockMHz"},
    {"memoryClock", "GPUMemoryClockMHz"},
    {"smActive", "GPUSMActivePercent"},
    {"pipeTensorActive", "GPUTensorActivePercent"},
    {"dramActive", "GPUDRAMActivePercent"},
    {"pcieRxBytes", "GPUPCIeReceiveBytesPerSecond"},
    {"pcieTxBytes", "GPUPCIeTransmitBytesPerSecond"},
    {"nvlinkRxBytes", "GPUNVLinkReceiveBytesPerSecond"},
    {"nvlinkTxBytes", "GPUNVLinkTransmitBytesPerSecond"},
    {"correctedMemoryErrors", "GPUECCCorrectedErrors"},
    {"uncorrectedMemoryErrors", "GPUECCUncorrectedErrors"},
};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

/// "0" and "powerWatts" of "0.powerWatts"; a number that is none is left empty.
std::pair<std::string_view, std::string_view> numbered(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == text.npos || !is_number(text.substr(0, dot))) return {};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

std::optional<MetricRule> gpu_rule(std::string_view rest) {
  const auto [number, quantity] = numbered(rest);
  for (const GpuName& known : kWandbGpuNames)
    if (!number.empty() && known.theirs == quantity)
      return MetricRule{gpu_metric(number, known.dimension), known.scale};
  return std::nullopt; // "gpu.process.0.gpu" repeats the GPU's own
}

} // namespace

WandbStat wandb_stat(std::string_view key) {
  constexpr std::string_view kLabel = "/l:";
  const std::size_t label = key.rfind(kLabel);
  if (label == key.npos) return {key, {}};
  return {key.substr(0, label), key.substr(label + kLabel.size())};
}

std::optional<MetricRule> wandb_metric(std::string_view key) {
  if (key.starts_with("gpu.")) return gpu_rule(key.substr(4));
  if (key == "cpu") return MetricRule{all_cores_metric()};
  if (key.starts_with("cpu."))
    if (const auto [number, quantity] = numbered(key.substr(4)); quantity == "cpu_percent")
      return MetricRule{{"cpu", "cpu" + std::string{number}, "CPUUtilization"}};
  if (key == "memory_percent" || key == "memory")
    return MetricRule{{"memory", "MemoryUsedPercent", ""}};
  if (key == "proc.memory.rssMB")
    return MetricRule{{"process", "ResidentBytes", "Tree"}, kMebibyte};
  if (key == "proc.cpu.threads") return MetricRule{{"process", "Threads", "Tree"}};
  if (key == "network.recv")
    return MetricRule{{"network", "ReceiveBytesPerSecond", "Algorithm"}, 1, true};
  if (key == "network.sent")
    return MetricRule{{"network", "TransmitBytesPerSecond", "Algorithm"}, 1, true};
  return std::nullopt;
}

bool is_wandb_disk_read(std::string_view key) {
  return key.starts_with("disk.") && key.ends_with(".in");
}

bool is_wandb_disk_write(std::string_view key) {
  return key.starts_with("disk.") && key.ends_with(".out");
}

MetricRule wandb_disk_metric(bool read) {
  return {{"i/o", read ? "ReadThroughputInBytesPerSecond" : "WriteThroughputInBytesPerSecond", ""},
          kMebibyte,
          true};
}

} // namespace debrief::ingest::trackers

#include "render/parts/devices.h"

#include <algorithm>

namespace debrief::render {

std::optional<std::string> why_no_gpu(const result::Result& result) {
  const auto is_gpu = [](const auto& row) {
    return row.metric == result::Metric::gpu || row.metric == result::Metric::gpu_memory;
  };
  if (std::any_of(result.devices.begin(), result.devices.end(), is_gpu)) return std::nullopt;
  if (std::any_of(result.system_usage.begin(), result.system_usage.end(), is_gpu))
    return "Only node averages were recorded, not single GPUs; see System usage.";
  if (!result.system_usage.empty() || !result.devices.empty())
    return "No GPU was recorded: the system metrics have none.";
  return "No GPU metrics were recorded. Run with 'debrief record', or turn on SageMaker's system "
         "monitoring (profiler-output/system).";
}

Devices devices_of(const result::Result& result, const std::vector<result::Metric>& metrics) {
  Devices devices;
  for (const result::DeviceRow& row : result.devices)
    if (std::find(metrics.begin(), metrics.end(), row.metric) != metrics.end())
      devices.push_back(&row);
  return devices;
}

Extremes extremes(const Devices& devices, std::optional<double> result::DeviceRow::*figure) {
  Extremes out;
  for (const result::DeviceRow* device : devices) {
    if (!(device->*figure)) continue;
    if (out.least == nullptr || device->*figure < out.least->*figure) out.least = device;
    if (out.most == nullptr || device->*figure > out.most->*figure) out.most = device;
  }
  return out;
}

} // namespace debrief::render

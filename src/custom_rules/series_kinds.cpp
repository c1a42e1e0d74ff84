#include "custom_rules/series_kinds.h"

#include <algorithm>
#include <array>

namespace debrief::custom_rules {

namespace {

using job::Metric;

constexpr std::array kSeriesKinds = {
    SeriesKind{"gpu.util", "GPU utilization", "GPU", "%", Metric::gpu_utilization},
    SeriesKind{"gpu.memory", "GPU memory utilization", "GPU", "%", Metric::gpu_memory},
    SeriesKind{"core.util", "CPU utilization", "core", "%", Metric::cpu_utilization},
    SeriesKind{"core.io_wait", "I/O wait", "core", "%", Metric::cpu_io_wait},
    SeriesKind{"cpu.util", "CPU utilization", "node", "%", Metric::other, result::Metric::cpu},
    SeriesKind{"cpu.io_wait", "I/O wait", "node", "%", Metric::other, result::Metric::io},
    SeriesKind{"cpu.memory", "CPU memory", "node", "%", Metric::host_memory},
    SeriesKind{"network.receive", "received bytes", "node", "B/s", Metric::network_receive},
    SeriesKind{"network.transmit", "sent bytes", "node", "B/s", Metric::network_transmit},
    SeriesKind{"network.total", "network traffic", "node", "B/s", Metric::other,
               result::Metric::network},
    SeriesKind{"disk.read", "disk reads", "node", "B/s", Metric::disk_read},
    SeriesKind{"disk.write", "disk writes", "node", "B/s", Metric::disk_write},
    SeriesKind{"disk.operations", "disk operations", "node", "", Metric::disk_operations},
};

} // namespace

std::span<const SeriesKind> series_kinds() {
  return kSeriesKinds;
}

const SeriesKind* find_series_kind(std::string_view name) {
  const auto found = std::find_if(kSeriesKinds.begin(), kSeriesKinds.end(),
                                  [&](const SeriesKind& kind) { return kind.name == name; });
  return found == kSeriesKinds.end() ? nullptr : &*found;
}

} // namespace debrief::custom_rules

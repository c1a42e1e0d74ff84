#include "job/metrics.h"

#include "util/text.h"

#include <utility>

namespace debrief::job {

std::string_view to_string(Unit unit) {
  switch (unit) {
  case Unit::percent:
    return "%";
  case Unit::bytes_per_second:
    return "B/s";
  case Unit::operations_per_second:
    return "1/s";
  case Unit::watts:
    return "W";
  case Unit::celsius:
    return "°C";
  case Unit::unknown:
    break;
  }
  return "";
}

Metric classify(const MetricName& name) {
  if (name.type == "cpu") {
    if (name.dimension == "CPUUtilization") return Metric::cpu_utilization;
    if (name.dimension == "I/OWaitPercentage") return Metric::cpu_io_wait;
  } else if (name.type == "gpu") {
    if (name.dimension == "GPUUtilization") return Metric::gpu_utilization;
    if (name.dimension == "GPUMemoryUtilization") return Metric::gpu_memory;
    if (name.dimension == "GPUSMActivePercent") return Metric::gpu_sm_activity;
    if (name.dimension == "GPUPowerWatts") return Metric::gpu_power;
    if (name.dimension == "GPUTemperatureCelsius") return Metric::gpu_temperature;
  } else if (name.type == "memory") {
    if (name.name == "MemoryUsedPercent") return Metric::host_memory;
  } else if (name.type == "i/o") {
    if (name.name == "IOPS") return Metric::disk_operations;
    if (name.name == "ReadThroughputInBytesPerSecond") return Metric::disk_read;
    if (name.name == "WriteThroughputInBytesPerSecond") return Metric::disk_write;
  } else if (name.type == "network" && name.dimension == "Algorithm") {
    // The dimension "Platform" is the service's own traffic, not the job's.
    if (name.name == "ReceiveBytesPerSecond") return Metric::network_receive;
    if (name.name == "TransmitBytesPerSecond") return Metric::network_transmit;
  }
  return Metric::other;
}

Unit unit_of(Metric metric) {
  switch (metric) {
  case Metric::cpu_utilization:
  case Metric::cpu_io_wait:
  case Metric::gpu_utilization:
  case Metric::gpu_memory:
  case Metric::host_memory:
  case Metric::gpu_sm_activity:
    return Unit::percent;
  case Metric::disk_operations:
    return Unit::operations_per_second;
  case Metric::disk_read:
  case Metric::disk_write:
  case Metric::network_receive:
  case Metric::network_transmit:
    return Unit::bytes_per_second;
  case Metric::gpu_power:
    return Unit::watts;
  case Metric::gpu_temperature:
    return Unit::celsius;
  case Metric::other:
    break;
  }
  return Unit::unknown;
}

MetricSeries make_series(std::string node, MetricName recorded_as, SeriesBuilder columns) {
  MetricSeries series;
  series.node = std::move(node);
  series.metric = classify(recorded_as);
  series.unit = unit_of(series.metric);
  if (recorded_as.type == "cpu" || recorded_as.type == "gpu") series.device = recorded_as.name;
  series.recorded_as = std::move(recorded_as);
  series.times = SampleTimes{std::move(columns.times)};
  series.values = std::move(columns.values);
  return series;
}

bool series_less(const MetricSeries& a, const MetricSeries& b) {
  if (a.node != b.node) return natural_less(a.node, b.node);
  if (a.metric != b.metric) return a.metric < b.metric;
  if (a.device != b.device) return natural_less(a.device, b.device);
  return a.recorded_as < b.recorded_as;
}

} // namespace debrief::job

#include "aggregate/node_metrics.h"

#include <algorithm>
#include <array>

namespace debrief {

namespace {

enum Place : std::size_t { cpu, gpu, cpu_memory, gpu_memory, io, network, disk, disk_operations };

constexpr std::size_t kInTable = Place::disk;

const std::array<NodeMetric, 8>& all_metrics() {
  static const std::array<NodeMetric, 8> all = {{
      {"CPU", {Metric::cpu_utilization}, Combine::mean, Unit::percent},
      {"GPU", {Metric::gpu_utilization}, Combine::mean, Unit::percent},
      {"CPU memory", {Metric::host_memory}, Combine::mean, Unit::percent},
      {"GPU memory", {Metric::gpu_memory}, Combine::mean, Unit::percent},
      {"I/O", {Metric::cpu_io_wait}, Combine::mean, Unit::percent},
      {"Network",
       {Metric::network_receive, Metric::network_transmit},
       Combine::sum,
       Unit::bytes_per_second},
      {"Disk", {Metric::disk_read, Metric::disk_write}, Combine::sum, Unit::bytes_per_second},
      {"Disk", {Metric::disk_operations}, Combine::sum, Unit::operations_per_second},
  }};
  return all;
}

} // namespace

std::span<const NodeMetric> usage_metrics() {
  return std::span{all_metrics()}.first(kInTable);
}

const std::vector<const NodeMetric*>& timeline_metrics() {
  static const std::vector<const NodeMetric*> in_order = [] {
    std::vector<const NodeMetric*> list;
    for (const Place place : {gpu, gpu_memory, cpu, io, cpu_memory, network, disk, disk_operations})
      list.push_back(&all_metrics()[place]);
    return list;
  }();
  return in_order;
}

std::vector<const MetricSeries*> parts_of(const NodeMetric& metric,
                                          std::span<const MetricSeries> of_node) {
  std::vector<const MetricSeries*> parts;
  for (const MetricSeries& series : of_node)
    if (std::find(metric.parts.begin(), metric.parts.end(), series.metric) != metric.parts.end())
      parts.push_back(&series);
  return parts;
}

std::vector<std::span<const MetricSeries>> series_by_node(std::span<const MetricSeries> all) {
  std::vector<std::span<const MetricSeries>> nodes;
  while (!all.empty()) {
    const auto end = std::find_if(all.begin(), all.end(), [&](const MetricSeries& series) {
      return series.node != all.front().node;
    });
    nodes.push_back(all.first(static_cast<std::size_t>(end - all.begin())));
    all = all.subspan(nodes.back().size());
  }
  return nodes;
}

} // namespace debrief

#include "aggregate/node_metrics.h"

#include <algorithm>
#include <array>

namespace debrief::aggregate {

namespace {

enum Place : std::size_t { cpu, gpu, cpu_memory, gpu_memory, io, network, disk, disk_operations };

constexpr std::size_t kInTable = Place::disk;

const std::array<NodeMetric, 8>& all_metrics() {
  static const std::array<NodeMetric, 8> all = {{
      {"CPU", {job::Metric::cpu_utilization}, Combine::mean, job::Unit::percent},
      {"GPU", {job::Metric::gpu_utilization}, Combine::mean, job::Unit::percent},
      {"CPU memory", {job::Metric::host_memory}, Combine::mean, job::Unit::percent},
      {"GPU memory", {job::Metric::gpu_memory}, Combine::mean, job::Unit::percent},
      {"I/O", {job::Metric::cpu_io_wait}, Combine::mean, job::Unit::percent},
      {"Network",
       {job::Metric::network_receive, job::Metric::network_transmit},
       Combine::sum,
       job::Unit::bytes_per_second},
      {"Disk",
       {job::Metric::disk_read, job::Metric::disk_write},
       Combine::sum,
       job::Unit::bytes_per_second},
      {"Disk", {job::Metric::disk_operations}, Combine::sum, job::Unit::operations_per_second},
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

std::vector<const job::MetricSeries*> parts_of(const NodeMetric& metric,
                                               std::span<const job::MetricSeries> of_node) {
  std::vector<const job::MetricSeries*> parts;
  for (const job::MetricSeries& series : of_node)
    if (std::find(metric.parts.begin(), metric.parts.end(), series.metric) != metric.parts.end())
      parts.push_back(&series);
  return parts;
}

std::vector<std::span<const job::MetricSeries>>
series_by_node(std::span<const job::MetricSeries> all) {
  std::vector<std::span<const job::MetricSeries>> nodes;
  while (!all.empty()) {
    const auto end = std::find_if(all.begin(), all.end(), [&](const job::MetricSeries& series) {
      return series.node != all.front().node;
    });
    nodes.push_back(all.first(static_cast<std::size_t>(end - all.begin())));
    all = all.subspan(nodes.back().size());
  }
  return nodes;
}

} // namespace debrief::aggregate

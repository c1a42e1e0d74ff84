#include "aggregate/device_usage.h"

#include "aggregate/box.h"
#include "aggregate/histogram.h"
#include "aggregate/node_series.h"
#include "util/parallel.h"

#include <algorithm>
#include <numeric>

namespace debrief::aggregate {

namespace {

result::DeviceRow make_row(const std::string& node, const std::string& device, const char* metric,
                           std::span<const double> values) {
  const Box box = box_of(values);
  result::DeviceRow row;
  row.node = node;
  row.device = device;
  row.metric = metric;
  row.samples = static_cast<std::int64_t>(values.size());
  row.mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  row.min = box.min;
  row.p05 = box.p05;
  row.p25 = box.p25;
  row.p50 = box.p50;
  row.p75 = box.p75;
  row.p95 = box.p95;
  row.max = box.max;
  row.lower = box.lower();
  row.upper = box.upper();
  row.histogram = percent_histogram(values);
  return row;
}

std::vector<result::DeviceRow> rows_of(const NodeDevices& node) {
  std::vector<result::DeviceRow> rows;
  if (!node.cores.empty())
    rows.push_back(
        make_row(node.node, "cpu", "CPU", combine_devices(node.cores, Combine::mean).values));
  for (const job::MetricSeries* gpu : node.gpus)
    rows.push_back(make_row(node.node, gpu->device, "GPU", gpu->value_span()));
  for (const job::MetricSeries* memory : node.gpu_memory)
    rows.push_back(make_row(node.node, memory->device, "GPU memory", memory->value_span()));
  return rows;
}

} // namespace

const job::MetricSeries* NodeDevices::memory_of(const job::MetricSeries& gpu) const {
  const auto found =
      std::find_if(gpu_memory.begin(), gpu_memory.end(),
                   [&](const job::MetricSeries* memory) { return memory->device == gpu.device; });
  return found == gpu_memory.end() ? nullptr : *found;
}

std::vector<NodeDevices> devices_by_node(const job::Job& job) {
  std::vector<NodeDevices> nodes;
  for (const job::MetricSeries& series : job.metrics) {
    if (nodes.empty() || nodes.back().node != series.node) nodes.emplace_back().node = series.node;
    NodeDevices& node = nodes.back();
    if (series.metric == job::Metric::cpu_utilization) node.cores.push_back(&series);
    if (series.metric == job::Metric::cpu_io_wait) node.io_wait.push_back(&series);
    if (series.metric == job::Metric::gpu_utilization) node.gpus.push_back(&series);
    if (series.metric == job::Metric::gpu_memory) node.gpu_memory.push_back(&series);
  }
  return nodes;
}

std::vector<result::DeviceRow> device_usage(const job::Job& job) {
  const std::vector<NodeDevices> nodes = devices_by_node(job);
  std::vector<std::vector<result::DeviceRow>> per_node(nodes.size());
  parallel_for(nodes.size(), [&](std::size_t i) { per_node[i] = rows_of(nodes[i]); });
  std::vector<result::DeviceRow> rows;
  for (auto& list : per_node)
    std::move(list.begin(), list.end(), std::back_inserter(rows));
  return rows;
}

} // namespace debrief::aggregate

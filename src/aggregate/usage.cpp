#include "aggregate/usage.h"

#include "aggregate/statistics.h"
#include "job/all_cores.h"
#include "util/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::aggregate {

namespace {

/// What becomes a row of the table of devices.
struct DeviceSamples {
  const std::string* node;
  std::string device;
  result::Metric metric;
  std::span<const double> values;
};

result::DeviceRow device_row(const DeviceSamples& samples) {
  const std::span<const double> values = samples.values;
  const Box box = box_of(values);
  result::DeviceRow row;
  row.node = *samples.node;
  row.device = samples.device;
  row.metric = samples.metric;
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

result::UsageRow usage_row(const std::string& node, const NodeMetricSeries& series) {
  const FiveNumbers numbers = five_numbers(series.combined);
  result::UsageRow row;
  row.node = node;
  row.metric = series.metric;
  row.unit = job::to_string(series.unit);
  row.samples = static_cast<std::int64_t>(series.combined.size());
  row.max = numbers.max;
  row.p99 = numbers.p99;
  row.p95 = numbers.p95;
  row.p50 = numbers.p50;
  row.min = numbers.min;
  return row;
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
    if (series.metric == job::Metric::cpu_utilization && job::is_core(series.recorded_as))
      node.cores.push_back(&series);
    if (series.metric == job::Metric::cpu_io_wait) node.io_wait.push_back(&series);
    if (series.metric == job::Metric::gpu_utilization) node.gpus.push_back(&series);
    if (series.metric == job::Metric::gpu_memory) node.gpu_memory.push_back(&series);
  }
  return nodes;
}

std::vector<result::UsageRow> system_usage(std::span<const NodeSeries> series) {
  std::vector<std::pair<const NodeSeries*, const NodeMetricSeries*>> all;
  for (const NodeSeries& node : series)
    for (const result::Metric metric : usage_metrics())
      if (const NodeMetricSeries* found = node.find(metric)) all.emplace_back(&node, found);
  std::vector<result::UsageRow> rows(all.size());
  parallel_for(all.size(),
               [&](std::size_t i) { rows[i] = usage_row(all[i].first->node, *all[i].second); });
  return rows;
}

std::vector<result::DeviceRow> device_usage(const job::Job& job,
                                            std::span<const NodeSeries> series) {
  const std::vector<NodeDevices> nodes = devices_by_node(job);
  std::vector<DeviceSamples> all;
  for (const NodeDevices& node : nodes) {
    if (const NodeSeries* own = find_node(series, node.node))
      if (const NodeMetricSeries* cpu = own->find(result::Metric::cpu))
        all.push_back({&node.node, "cpu", result::Metric::cpu, cpu->combined});
    for (const job::MetricSeries* gpu : node.gpus)
      all.push_back({&node.node, gpu->device, result::Metric::gpu, gpu->value_span()});
    for (const job::MetricSeries* memory : node.gpu_memory)
      all.push_back({&node.node, memory->device, result::Metric::gpu_memory, memory->value_span()});
  }
  std::vector<result::DeviceRow> rows(all.size());
  parallel_for(all.size(), [&](std::size_t i) { rows[i] = device_row(all[i]); });
  return rows;
}

double histogram_distance(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  const auto size = [](std::span<const std::int64_t> counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  };
  const double size_a = size(a);
  const double size_b = size(b);
  if (size_a <= 0 || size_b <= 0) return 0;
  double divergence = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double p = static_cast<double>(a[i]) / size_a;
    const double q = static_cast<double>(b[i]) / size_b;
    const double middle = (p + q) / 2;
    if (p > 0) divergence += p * std::log(p / middle) / 2;
    if (q > 0) divergence += q * std::log(q / middle) / 2;
  }
  return std::sqrt(std::max(divergence, 0.0)); // rounding may leave -1e-17
}

result::LoadBalance load_balance(const std::vector<result::DeviceRow>& devices) {
  std::vector<const result::DeviceRow*> gpus;
  for (const result::DeviceRow& device : devices)
    if (device.metric == result::Metric::gpu && !device.histogram.empty() &&
        gpus.size() < kMaxCompared)
      gpus.push_back(&device);
  result::LoadBalance balance;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = i + 1; j < gpus.size(); ++j)
      balance.pairs.push_back(
          {gpus[i]->node, gpus[i]->device, gpus[j]->node, gpus[j]->device,
           histogram_distance(gpus[i]->histogram.counts, gpus[j]->histogram.counts)});
  std::stable_sort(balance.pairs.begin(), balance.pairs.end(),
                   [](const result::BalancePair& a, const result::BalancePair& b) {
                     return a.distance > b.distance;
                   });
  balance.pair_count = static_cast<std::int64_t>(balance.pairs.size());
  return balance;
}

} // namespace debrief::aggregate

#include "aggregate/node_series.h"

#include "util/parallel.h"

#include <algorithm>
#include <array>
#include <limits>

namespace debrief::aggregate {

namespace {

bool sampled_together(std::span<const job::MetricSeries* const> devices) {
  return std::all_of(devices.begin(), devices.end(), [&](const job::MetricSeries* series) {
    return series->times.shared_with(devices.front()->times);
  });
}

CombinedSeries combine_aligned(std::span<const job::MetricSeries* const> devices, Combine how) {
  CombinedSeries out;
  const auto times = devices.front()->time_span();
  out.times.assign(times.begin(), times.end());
  out.values.assign(times.size(), 0.0);
  out.devices.reserve(devices.size());
  for (const job::MetricSeries* series : devices) {
    const auto values = series->value_span();
    for (std::size_t i = 0; i < values.size(); ++i)
      out.values[i] += values[i];
    out.devices.emplace_back(values.begin(), values.end());
  }
  if (how == Combine::mean)
    for (double& value : out.values)
      value /= static_cast<double>(devices.size());
  return out;
}

struct Sample {
  Microseconds time = 0;
  double value = 0;
  std::uint32_t device = 0;
};

/// Moment by moment, what one device had; moments that it missed are filled when its next comes.
class DeviceColumns {
public:
  explicit DeviceColumns(std::size_t devices)
      : values_(devices) {}

  void set(std::size_t device, std::size_t moment, double value) {
    values_[device].resize(moment, kMissing);
    values_[device].push_back(static_cast<float>(value));
  }

  std::vector<std::vector<float>> finish(std::size_t moments) && {
    for (auto& values : values_)
      values.resize(moments, kMissing);
    return std::move(values_);
  }

private:
  static constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::vector<float>> values_;
};

CombinedSeries combine_scattered(std::span<const job::MetricSeries* const> devices, Combine how) {
  std::vector<Sample> samples;
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const auto times = devices[device]->time_span();
    const auto values = devices[device]->value_span();
    for (std::size_t i = 0; i < times.size(); ++i)
      samples.push_back({times[i], values[i], device});
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
    return a.time != b.time ? a.time < b.time : a.device < b.device;
  });

  CombinedSeries out;
  DeviceColumns each{devices.size()};
  MomentCounter moments{devices.size()};
  std::size_t in_moment = 0;
  const auto close = [&] {
    if (in_moment > 0 && how == Combine::mean) out.values.back() /= static_cast<double>(in_moment);
    in_moment = 0;
  };
  for (const Sample& sample : samples) {
    if (moments.take(sample.time, sample.device) > out.times.size()) {
      close();
      out.times.push_back(sample.time);
      out.values.push_back(0);
    }
    out.values.back() += sample.value;
    each.set(sample.device, out.times.size() - 1, sample.value);
    ++in_moment;
  }
  close();
  out.devices = std::move(each).finish(out.times.size());
  return out;
}

/// How a metric is made of a node's series.
struct Recipe {
  result::Metric metric;
  std::vector<job::Metric> parts; ///< series of any of these are its devices
  Combine how;
  job::Unit unit;
};

/// In the order of the page. Disks are recorded as bytes or as operations: the second one is for
/// nodes that have nothing for the first.
const std::vector<Recipe>& recipes() {
  using job::Metric;
  using job::Unit;
  static const std::vector<Recipe> all = {
      {result::Metric::gpu, {Metric::gpu_utilization}, Combine::mean, Unit::percent},
      {result::Metric::gpu_sm_activity, {Metric::gpu_sm_activity}, Combine::mean, Unit::percent},
      {result::Metric::gpu_memory, {Metric::gpu_memory}, Combine::mean, Unit::percent},
      {result::Metric::gpu_power, {Metric::gpu_power}, Combine::mean, Unit::watts},
      {result::Metric::gpu_temperature, {Metric::gpu_temperature}, Combine::mean, Unit::celsius},
      {result::Metric::cpu, {Metric::cpu_utilization}, Combine::mean, Unit::percent},
      {result::Metric::io, {Metric::cpu_io_wait}, Combine::mean, Unit::percent},
      {result::Metric::cpu_memory, {Metric::host_memory}, Combine::mean, Unit::percent},
      {result::Metric::network,
       {Metric::network_receive, Metric::network_transmit},
       Combine::sum,
       Unit::bytes_per_second},
      {result::Metric::disk,
       {Metric::disk_read, Metric::disk_write},
       Combine::sum,
       Unit::bytes_per_second},
      {result::Metric::disk, {Metric::disk_operations}, Combine::sum, Unit::operations_per_second},
  };
  return all;
}

/// How many of the table's metrics, from its first, SageMaker's recorder has: one that lacks them
/// lacks something. The rest is a GPU's own, which few recorders ask for.
constexpr std::size_t kEverywhere = 6;

using NodeSpan = std::span<const job::MetricSeries>;

std::vector<const job::MetricSeries*> parts_of(const Recipe& recipe, NodeSpan of_node) {
  std::vector<const job::MetricSeries*> parts;
  for (const job::MetricSeries& series : of_node)
    if (std::find(recipe.parts.begin(), recipe.parts.end(), series.metric) != recipe.parts.end())
      parts.push_back(&series);
  return parts;
}

/// One part of the job's series per node, in their order.
std::vector<NodeSpan> series_by_node(NodeSpan all) {
  std::vector<NodeSpan> nodes;
  while (!all.empty()) {
    const auto end = std::find_if(all.begin(), all.end(), [&](const job::MetricSeries& series) {
      return series.node != all.front().node;
    });
    nodes.push_back(all.first(static_cast<std::size_t>(end - all.begin())));
    all = all.subspan(nodes.back().size());
  }
  return nodes;
}

/// What the page calls one of a metric's devices: the recorder's name, or the direction.
std::string device_name(const job::MetricSeries& series) {
  switch (series.metric) {
  case job::Metric::network_receive:
    return "receive";
  case job::Metric::network_transmit:
    return "transmit";
  case job::Metric::disk_read:
    return "read";
  case job::Metric::disk_write:
    return "write";
  default:
    return series.device;
  }
}

NodeMetricSeries make_series(const Recipe& recipe,
                             std::span<const job::MetricSeries* const> parts) {
  CombinedSeries combined = combine_devices(parts, recipe.how);
  NodeMetricSeries out;
  out.metric = recipe.metric;
  out.unit = recipe.unit;
  out.times = std::move(combined.times);
  out.combined = std::move(combined.values);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string name = device_name(*parts[i]);
    if (name.empty()) continue;
    out.devices.push_back(std::move(name));
    out.values.push_back(std::move(combined.devices[i]));
  }
  return out;
}

} // namespace

std::span<const result::Metric> usage_metrics() {
  using result::Metric;
  static constexpr std::array kInOrder = {Metric::cpu,
                                          Metric::gpu,
                                          Metric::cpu_memory,
                                          Metric::gpu_memory,
                                          Metric::io,
                                          Metric::network,
                                          Metric::gpu_sm_activity,
                                          Metric::gpu_power,
                                          Metric::gpu_temperature};
  return kInOrder;
}

const std::vector<float>* NodeMetricSeries::find(std::string_view device) const {
  const auto found = std::find(devices.begin(), devices.end(), device);
  return found == devices.end() ? nullptr
                                : &values[static_cast<std::size_t>(found - devices.begin())];
}

const NodeMetricSeries* NodeSeries::find(result::Metric metric) const {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(),
                   [&](const NodeMetricSeries& series) { return series.metric == metric; });
  return found == metrics.end() ? nullptr : &*found;
}

std::vector<NodeSeries> node_series(const job::Job& job) {
  struct Task {
    const Recipe* recipe;
    std::vector<const job::MetricSeries*> parts;
    std::size_t node;
  };

  std::vector<Task> tasks;
  std::vector<NodeSeries> nodes;
  for (const NodeSpan& of_node : series_by_node(job.metrics)) {
    const std::size_t before = tasks.size();
    for (const Recipe& recipe : recipes()) {
      if (tasks.size() > before && tasks.back().recipe->metric == recipe.metric) continue;
      if (auto parts = parts_of(recipe, of_node); !parts.empty())
        tasks.push_back({&recipe, std::move(parts), nodes.size()});
    }
    if (tasks.size() > before) nodes.push_back({of_node.front().node, {}});
  }
  std::vector<NodeMetricSeries> made(tasks.size());
  parallel_for(tasks.size(),
               [&](std::size_t i) { made[i] = make_series(*tasks[i].recipe, tasks[i].parts); });
  for (std::size_t i = 0; i < tasks.size(); ++i)
    nodes[tasks[i].node].metrics.push_back(std::move(made[i]));
  return nodes;
}

const NodeSeries* find_node(std::span<const NodeSeries> series, std::string_view node) {
  const auto found = std::find_if(series.begin(), series.end(),
                                  [&](const NodeSeries& some) { return some.node == node; });
  return found == series.end() ? nullptr : &*found;
}

std::vector<std::string> missing_usage(std::span<const job::MetricSeries> of_node) {
  std::vector<std::string> missing;
  for (const result::Metric metric : usage_metrics().first(kEverywhere))
    if (std::none_of(recipes().begin(), recipes().end(), [&](const Recipe& recipe) {
          return recipe.metric == metric && !parts_of(recipe, of_node).empty();
        }))
      missing.emplace_back(to_text(metric));
  return missing;
}

std::vector<result::NodeTimeline> to_timeline(std::vector<NodeSeries> series) {
  std::vector<result::NodeTimeline> nodes;
  for (NodeSeries& node : series) {
    result::NodeTimeline& out = nodes.emplace_back();
    out.node = std::move(node.node);
    for (NodeMetricSeries& metric : node.metrics) {
      result::MetricTimeline& drawn = out.metrics.emplace_back();
      drawn.metric = metric.metric;
      drawn.unit = job::to_string(metric.unit);
      drawn.times = std::move(metric.times);
      drawn.whole.assign(metric.combined.begin(), metric.combined.end());
      drawn.devices = std::move(metric.devices);
      drawn.values = std::move(metric.values);
    }
  }
  return nodes;
}

CombinedSeries combine_devices(std::span<const job::MetricSeries* const> devices, Combine how) {
  if (devices.empty()) return {};
  return sampled_together(devices) ? combine_aligned(devices, how)
                                   : combine_scattered(devices, how);
}

} // namespace debrief::aggregate

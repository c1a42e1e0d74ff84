// How machines were used, as system metrics have it, and how long data took to load.
#include "compare/figures.h"
#include "result/json.h"

#include <fmt/format.h>

#include <map>

namespace debrief::compare {

namespace {

struct UsageMetric {
  const char* name;
  result::Metric metric;
  const char* label;
  const char* unit;
  Better better;
  bool has_mean; ///< `devices` has its mean
};

// Memory, CPU and network are neither better nor worse for being used more: that depends on what
// the job is bound by, which the findings say.
constexpr UsageMetric kMetrics[] = {
    {"gpu", result::Metric::gpu, "GPU utilization", "%", Better::higher, true},
    {"gpu_memory", result::Metric::gpu_memory, "GPU memory utilization", "%", Better::neither,
     true},
    {"cpu", result::Metric::cpu, "CPU utilization", "%", Better::neither, true},
    {"cpu_memory", result::Metric::cpu_memory, "CPU memory in use", "%", Better::neither, false},
    {"io", result::Metric::io, "I/O wait", "%", Better::lower, false},
    {"network", result::Metric::network, "Network traffic", "B/s", Better::neither, false},
    {"sm_activity", result::Metric::gpu_sm_activity, "SM activity", "%", Better::higher, false},
    {"gpu_power", result::Metric::gpu_power, "GPU power", "W", Better::neither, false},
    {"gpu_temperature", result::Metric::gpu_temperature, "GPU temperature", "°C", Better::neither,
     false}};

struct UsageStatistic {
  const char* key;
  const char* words;
  double result::UsageRow::*value;
};

constexpr UsageStatistic kUsageStatistics[] = {{"p50", "median", &result::UsageRow::p50},
                                               {"p95", "95th percentile", &result::UsageRow::p95},
                                               {"p99", "99th percentile", &result::UsageRow::p99},
                                               {"max", "most", &result::UsageRow::max},
                                               {"min", "least", &result::UsageRow::min}};

std::string usage_name(const UsageMetric& metric, const char* statistic) {
  return fmt::format("{}.{}", metric.name, statistic);
}

/// A node's mean is that over its devices, which all have as many samples.
void collect_means(const result::Result& result, const UsageMetric& metric, Collector& out) {
  struct Sum {
    double value = 0;
    int devices = 0;
  };

  std::map<std::string, Sum> by_node;
  for (const result::DeviceRow& row : result.devices) {
    if (row.metric != metric.metric || !row.mean) continue;
    Sum& sum = by_node[row.node];
    sum.value += result::rounded(*row.mean);
    ++sum.devices;
  }
  for (const auto& [node, sum] : by_node)
    out.add_derived(usage_name(metric, "mean"), sum.value / sum.devices, node);
}

struct LoadWork {
  const char* name;
  result::LoadKind kind;
  const char* label;
};

constexpr LoadWork kLoadWork[] = {{"get_next", result::LoadKind::get_next, "Wait for a batch"},
                                  {"load", result::LoadKind::load, "Loading"},
                                  {"worker", result::LoadKind::worker, "Worker"},
                                  {"batch", result::LoadKind::batch, "From batch to batch"},
                                  {"initialize", result::LoadKind::initialize, "Iterator setup"}};

struct LoadStatistic {
  const char* key;
  const char* words;
  std::optional<double> (*value)(const result::LoadTimes& times);
};

constexpr LoadStatistic kLoadStatistics[] = {
    {"p50", "median", [](const result::LoadTimes& times) { return std::optional(times.p50); }},
    {"mean", "mean", [](const result::LoadTimes& times) { return times.mean; }},
    {"p95", "95th percentile",
     [](const result::LoadTimes& times) { return std::optional(times.p95); }},
    {"max", "longest", [](const result::LoadTimes& times) { return times.max; }}};

std::string loading_name(const LoadWork& work, const char* figure) {
  return fmt::format("data_loading.{}.{}", work.name, figure);
}

} // namespace

void declare_usage(std::vector<Declaration>& out) {
  for (const UsageMetric& metric : kMetrics) {
    const auto declare = [&](const char* key, const char* words) {
      out.push_back({usage_name(metric, key), fmt::format("{}, {}", metric.label, words),
                     metric.unit, metric.better, Group::utilization});
    };
    for (const UsageStatistic& statistic : kUsageStatistics)
      declare(statistic.key, statistic.words);
    if (metric.has_mean) declare("mean", "mean");
  }
}

void collect_usage(const result::Result& result, Collector& out) {
  for (const UsageMetric& metric : kMetrics) {
    for (const result::UsageRow& row : result.system_usage)
      if (row.metric == metric.metric)
        for (const UsageStatistic& statistic : kUsageStatistics)
          out.add(usage_name(metric, statistic.key), row.*statistic.value, row.node);
    if (metric.has_mean) collect_means(result, metric, out);
  }
}

void declare_loading(std::vector<Declaration>& out) {
  for (const LoadWork& work : kLoadWork) {
    for (const LoadStatistic& statistic : kLoadStatistics)
      out.push_back({loading_name(work, statistic.key),
                     fmt::format("{}, {}", work.label, statistic.words), "s", Better::lower,
                     Group::data_loading});
    out.push_back({loading_name(work, "count"), fmt::format("{}, count", work.label), "",
                   Better::neither, Group::data_loading});
  }
  out.push_back({"data_loading.num_workers", "Workers", "", Better::neither, Group::data_loading});
}

void collect_loading(const result::Result& result, Collector& out) {
  const result::DataLoading& loading = result.data_loading;
  for (const result::LoadTimes& times : loading.times)
    for (const LoadWork& work : kLoadWork)
      if (times.what == work.kind) {
        for (const LoadStatistic& statistic : kLoadStatistics)
          out.add(loading_name(work, statistic.key), statistic.value(times));
        out.add(loading_name(work, "count"), static_cast<double>(times.count));
      }
  out.add("data_loading.num_workers", loading.num_workers);
}

} // namespace debrief::compare

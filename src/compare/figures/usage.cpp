// Utilization as system metrics have it.
#include "compare/figures/parts.h"

#include <fmt/format.h>

#include <map>

namespace debrief::compare {

namespace {

using nlohmann::json;

struct Metric {
  const char* name;
  const char* metric; ///< as `system_usage` and `devices` call it
  const char* label;
  const char* unit;
  Better better;
  bool has_mean; ///< `devices` has its mean
};

// Memory, CPU and network are neither better nor worse for being used more: that depends on what
// the job is bound by, which the findings say.
constexpr Metric kMetrics[] = {
    {"gpu", "GPU", "GPU utilization", "%", Better::higher, true},
    {"gpu_memory", "GPU memory", "GPU memory utilization", "%", Better::neither, true},
    {"cpu", "CPU", "CPU utilization", "%", Better::neither, true},
    {"cpu_memory", "CPU memory", "CPU memory in use", "%", Better::neither, false},
    {"io", "I/O", "I/O wait", "%", Better::lower, false},
    {"network", "Network", "Network traffic", "B/s", Better::neither, false}};

constexpr Statistic kUsageStatistics[] = {{"p50", "median"},
                                          {"p95", "95th percentile"},
                                          {"p99", "99th percentile"},
                                          {"max", "most"},
                                          {"min", "least"}};

std::string name_of(const Metric& metric, const char* statistic) {
  return fmt::format("{}.{}", metric.name, statistic);
}

/// A node's mean is that over its devices, which all have as many samples.
void collect_means(const json& document, const Metric& metric, Collector& out) {
  struct Sum {
    double value = 0;
    int devices = 0;
  };

  std::map<std::string, Sum> by_node;
  for (const json* row : rows_at(document, "devices")) {
    const auto mean = number_at(*row, "mean");
    if (text_at(*row, "metric") != metric.metric || !mean) continue;
    Sum& sum = by_node[text_at(*row, "node")];
    sum.value += *mean;
    ++sum.devices;
  }
  for (const auto& [node, sum] : by_node)
    out.add(name_of(metric, "mean"), sum.value / sum.devices, node);
}

} // namespace

void declare_usage(std::vector<Declaration>& out) {
  for (const Metric& metric : kMetrics) {
    const auto declare = [&](const char* key, const char* words) {
      out.push_back({name_of(metric, key), fmt::format("{}, {}", metric.label, words), metric.unit,
                     metric.better, Group::utilization});
    };
    for (const Statistic& statistic : kUsageStatistics)
      declare(statistic.key, statistic.words);
    if (metric.has_mean) declare("mean", "mean");
  }
}

void collect_usage(const json& document, Collector& out) {
  for (const Metric& metric : kMetrics) {
    for (const json* row : rows_at(document, "system_usage"))
      if (text_at(*row, "metric") == metric.metric)
        for (const Statistic& statistic : kUsageStatistics)
          out.add(name_of(metric, statistic.key), number_at(*row, statistic.key),
                  text_at(*row, "node"));
    if (metric.has_mean) collect_means(document, metric, out);
  }
}

} // namespace debrief::compare

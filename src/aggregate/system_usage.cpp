#include "aggregate/system_usage.h"

#include "aggregate/node_series.h"
#include "aggregate/quantiles.h"

#include <algorithm>
#include <array>

namespace debrief {

namespace {

/// How a row of the table is made of a node's series.
struct Recipe {
  const char* metric;
  std::vector<Metric> parts;
  Combine how;
  Unit unit;
};

const std::array<Recipe, 6>& recipes() {
  static const std::array<Recipe, 6> all = {{
      {"CPU", {Metric::cpu_utilization}, Combine::mean, Unit::percent},
      {"GPU", {Metric::gpu_utilization}, Combine::mean, Unit::percent},
      {"CPU memory", {Metric::host_memory}, Combine::mean, Unit::percent},
      {"GPU memory", {Metric::gpu_memory}, Combine::mean, Unit::percent},
      {"I/O", {Metric::cpu_io_wait}, Combine::mean, Unit::percent},
      {"Network",
       {Metric::network_receive, Metric::network_transmit},
       Combine::sum,
       Unit::bytes_per_second},
  }};
  return all;
}

bool is_part(const MetricSeries& series, const Recipe& recipe) {
  return std::find(recipe.parts.begin(), recipe.parts.end(), series.metric) != recipe.parts.end();
}

result::UsageRow make_row(const std::string& node, const Recipe& recipe,
                          const FiveNumbers& numbers) {
  result::UsageRow row;
  row.node = node;
  row.metric = recipe.metric;
  row.unit = to_string(recipe.unit);
  row.max = numbers.max;
  row.p99 = numbers.p99;
  row.p95 = numbers.p95;
  row.p50 = numbers.p50;
  row.min = numbers.min;
  return row;
}

} // namespace

std::vector<std::string> missing_usage(std::span<const MetricSeries> of_node) {
  std::vector<std::string> missing;
  for (const Recipe& recipe : recipes())
    if (std::none_of(of_node.begin(), of_node.end(),
                     [&](const MetricSeries& series) { return is_part(series, recipe); }))
      missing.emplace_back(recipe.metric);
  return missing;
}

std::vector<result::UsageRow> system_usage(const Job& job) {
  std::vector<result::UsageRow> rows;
  for (auto node = job.metrics.begin(); node != job.metrics.end();) {
    const auto end = std::find_if(node, job.metrics.end(), [&](const MetricSeries& series) {
      return series.node != node->node;
    });
    for (const Recipe& recipe : recipes()) {
      std::vector<const MetricSeries*> devices;
      for (auto series = node; series != end; ++series)
        if (is_part(*series, recipe)) devices.push_back(&*series);
      MetricColumns columns = combine_devices(devices, recipe.how);
      if (columns.values.empty()) continue;
      const auto samples = static_cast<std::int64_t>(columns.values.size());
      rows.push_back(make_row(node->node, recipe, five_numbers(std::move(columns.values))));
      rows.back().samples = samples;
    }
    node = end;
  }
  return rows;
}

} // namespace debrief

#include "aggregate/system_usage.h"

#include "aggregate/node_metrics.h"
#include "aggregate/quantiles.h"

namespace debrief::aggregate {

namespace {

result::UsageRow make_row(const std::string& node, const NodeMetric& metric,
                          const FiveNumbers& numbers) {
  result::UsageRow row;
  row.node = node;
  row.metric = metric.name;
  row.unit = job::to_string(metric.unit);
  row.max = numbers.max;
  row.p99 = numbers.p99;
  row.p95 = numbers.p95;
  row.p50 = numbers.p50;
  row.min = numbers.min;
  return row;
}

} // namespace

std::vector<std::string> missing_usage(std::span<const job::MetricSeries> of_node) {
  std::vector<std::string> missing;
  for (const NodeMetric& metric : usage_metrics())
    if (parts_of(metric, of_node).empty()) missing.emplace_back(metric.name);
  return missing;
}

std::vector<result::UsageRow> system_usage(const job::Job& job) {
  std::vector<result::UsageRow> rows;
  for (const auto& of_node : series_by_node(job.metrics)) {
    for (const NodeMetric& metric : usage_metrics()) {
      job::SeriesBuilder columns = combine_devices(parts_of(metric, of_node), metric.how);
      if (columns.values.empty()) continue;
      const auto samples = static_cast<std::int64_t>(columns.values.size());
      rows.push_back(
          make_row(of_node.front().node, metric, five_numbers(std::move(columns.values))));
      rows.back().samples = samples;
    }
  }
  return rows;
}

} // namespace debrief::aggregate

#include "job/metrics.h"
#include "sagemaker_figures/details.h"
#include "sagemaker_figures/figures.h"
#include "util/text.h"

#include <map>

namespace debrief::sagemaker_figures {

namespace {

std::optional<result::UsageRow> read_row(const nlohmann::json& numbers) {
  result::UsageRow row;
  for (const auto& [name, into] : {std::pair{"max", &row.max},
                                   {"p99", &row.p99},
                                   {"p95", &row.p95},
                                   {"p50", &row.p50},
                                   {"min", &row.min}}) {
    const auto value = number_in(numbers, name);
    if (!value) return std::nullopt;
    *into = *value;
  }
  return row;
}

} // namespace

std::vector<result::UsageRow> recorded_usage(const job::Job& job) {
  const job::RuleOutput* output = find_recorded(job, "OverallSystemUsage");
  if (output == nullptr) return {};
  // The document lists nodes under metrics; the table lists metrics under nodes.
  const auto by_number = [](const std::string& a, const std::string& b) {
    return natural_less(a, b);
  };
  std::map<std::string, std::vector<result::UsageRow>, decltype(by_number)> by_node{by_number};
  for (const char* metric : {"CPU", "GPU", "CPU memory", "GPU memory", "I/O", "Network"}) {
    const nlohmann::json* nodes = object_in(output->details(), metric);
    if (nodes == nullptr) continue;
    for (const auto& [node, numbers] : nodes->items()) {
      auto row = read_row(numbers);
      if (!row) continue;
      row->node = node;
      row->metric = metric;
      row->unit = job::to_string(row->metric == "Network" ? job::Unit::bytes_per_second
                                                          : job::Unit::percent);
      by_node[node].push_back(std::move(*row));
    }
  }
  std::vector<result::UsageRow> rows;
  for (auto& [node, its_rows] : by_node)
    rows.insert(rows.end(), its_rows.begin(), its_rows.end());
  return rows;
}

} // namespace debrief::sagemaker_figures

#include "sagemaker_figures/figures.h"

#include "job/events.h"
#include "job/metrics.h"
#include "sagemaker_figures/details.h"
#include "util/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

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
  const nlohmann::json details = output->details();
  for (const result::Metric metric :
       {result::Metric::cpu, result::Metric::gpu, result::Metric::cpu_memory,
        result::Metric::gpu_memory, result::Metric::io, result::Metric::network}) {
    const nlohmann::json* nodes = object_in(details, to_text(metric));
    if (nodes == nullptr) continue;
    for (const auto& [node, numbers] : nodes->items()) {
      auto row = read_row(numbers);
      if (!row) continue;
      row->node = node;
      row->metric = metric;
      row->unit =
          job::to_string(row->metric == result::Metric::network ? job::Unit::bytes_per_second
                                                                : job::Unit::percent);
      by_node[node].push_back(std::move(*row));
    }
  }
  std::vector<result::UsageRow> rows;
  for (auto& [node, its_rows] : by_node)
    rows.insert(rows.end(), its_rows.begin(), its_rows.end());
  return rows;
}

namespace {

using nlohmann::json;
using result::OperatorRow;
using result::ShareRow;

/// {name: percent}, largest first.
std::vector<ShareRow> shares(const json& details, const char* key) {
  std::vector<ShareRow> rows;
  const json* object = object_in(details, key);
  if (object == nullptr) return rows;
  for (const auto& [name, value] : object->items())
    if (const auto percent = number_in(*object, name))
      rows.push_back({"", name, *percent, std::nullopt, std::nullopt});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ShareRow& a, const ShareRow& b) { return a.percent > b.percent; });
  return rows;
}

/// {operator: percent} beside {operator: microseconds}; SageMaker left out those of at most 2 %.
result::OperatorTable operators(const json& details, const std::string& key) {
  result::OperatorTable table;
  const json* totals = object_in(details, key + "_total");
  if (totals == nullptr) return table;
  for (const ShareRow& share : shares(details, key.c_str()))
    if (const auto total = count_in(*totals, share.name)) {
      OperatorRow row;
      row.name = share.name;
      row.percent = share.percent;
      row.total_us = *total;
      table.rows.push_back(std::move(row));
    }
  table.count = static_cast<std::int64_t>(table.rows.size());
  if (table.rows.size() > result::kMaxOperators) table.rows.resize(result::kMaxOperators);
  return table;
}

} // namespace

result::Framework recorded_framework(const job::Job& job) {
  result::Framework framework;
  const job::RuleOutput* output = find_recorded(job, "OverallFrameworkMetrics");
  if (output == nullptr) return framework;
  framework.recorded_by_sagemaker = true;
  const json details = output->details();
  framework.phase = shares(details, "phase");
  framework.forward_backward = shares(details, "forward_backward");
  framework.ratio = shares(details, "ratio");
  framework.general = shares(details, "general");
  framework.collectives = shares(details, "horovod");
  framework.cpu_operators = operators(details, "CPU");
  framework.gpu_operators = operators(details, "GPU");
  if (!framework.cpu_operators.rows.empty() || !framework.gpu_operators.rows.empty())
    framework.operator_source = result::kFromRuleOutputs;
  return framework;
}

result::DataLoading recorded_data_loading(const job::Job& job) {
  result::DataLoading loading;
  const job::RuleOutput* output = find_recorded(job, "Dataloader");
  if (output == nullptr) return loading;
  const json details = output->details();
  loading.num_workers = count_in(details, "num_workers");
  loading.cores = count_in(details, "cores");
  loading.pin_memory = flag_in(details, "pin_memory");
  loading.prefetch = flag_in(details, "prefetch");
  loading.loaders = count_in(details, "dataloaders");
  if (!loading.empty()) loading.source = result::kFromRuleOutputs;
  const json* times = object_in(details, "dataloading_time");
  if (times == nullptr) return loading;
  const auto p25 = number_in(*times, "p25");
  const auto p50 = number_in(*times, "p50");
  const auto p95 = number_in(*times, "p95");
  if (!p25 || !p50 || !p95) return loading;
  result::LoadTimes row;
  row.what = result::LoadKind::load;
  row.count = output->datapoints;
  row.p25 = *p25;
  row.p50 = *p50;
  row.p95 = *p95;
  row.histogram = histogram_in(*times);
  loading.times.push_back(std::move(row));
  loading.source = result::kFromRuleOutputs;
  return loading;
}

namespace {

using nlohmann::json;

std::optional<std::int64_t> step_number(const json& text) {
  if (!text.is_string()) return std::nullopt;
  const auto& digits = text.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// "algo-1-27" of "algo-1-27 (EVAL)": debrief's own files tell a process's further modes so.
std::string process_of(const std::string& key, const std::string& mode) {
  const std::string suffix = " (" + mode + ")";
  return key.ends_with(suffix) ? key.substr(0, key.size() - suffix.size()) : key;
}

std::optional<result::StepRow> read_row(const std::string& key, const json& entry) {
  const json* stats = object_in(entry, "step_stats");
  if (stats == nullptr) return std::nullopt;
  result::StepRow row;
  for (const auto& [name, into] : {std::pair{"mean", &row.mean},
                                   {"max", &row.max},
                                   {"p99", &row.p99},
                                   {"p95", &row.p95},
                                   {"p50", &row.p50},
                                   {"min", &row.min}}) {
    const auto value = number_in(*stats, name);
    if (!value) return std::nullopt;
    *into = *value;
  }
  row.mode = job::mode_of(text_in(entry, "phase").value_or(""));
  row.process = process_of(key, row.mode);
  row.source = result::kFromRuleOutputs;
  row.stddev = number_in(entry, "stddev");
  row.outliers = count_in(entry, "number_of_outliers");
  row.histogram = histogram_in(entry);
  row.count = std::accumulate(row.histogram.counts.begin(), row.histogram.counts.end(),
                              row.outliers.value_or(0));
  if (const auto numbers = entry.find("step_numbers");
      numbers != entry.end() && numbers->is_array())
    for (const json& number : *numbers)
      if (row.outlying.size() < result::kMaxOutliers)
        row.outlying.push_back({step_number(number), std::nullopt, std::nullopt});
  return row;
}

} // namespace

std::vector<result::StepRow> recorded_steps(const job::Job& job) {
  std::vector<result::StepRow> rows;
  const job::RuleOutput* output = find_recorded(job, "StepOutlier");
  if (output == nullptr) return rows;
  const json details = output->details();
  const json* entries = object_in(details, "step_details");
  if (entries == nullptr) return rows;
  for (const auto& [key, entry] : entries->items())
    if (auto row = read_row(key, entry)) rows.push_back(std::move(*row));
  // The bins leave out a first step that is longer than the threshold; with one row, the rule's own
  // count has it.
  if (rows.size() == 1) rows.front().count = std::max(rows.front().count, output->datapoints);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const result::StepRow& a, const result::StepRow& b) {
                     return natural_less(a.process, b.process);
                   });
  return rows;
}

void recorded_times(const job::Job& job, result::JobSummary& summary) {
  const job::RuleOutput* output = find_recorded(job, "MaxInitializationTime");
  if (output == nullptr) return;
  const auto time_in = [&](const json& object, const char* key,
                           double per_second) -> std::optional<Microseconds> {
    const auto number = number_in(object, key);
    const auto time = number ? from_seconds(*number / per_second) : std::nullopt;
    return time && is_plausible(*time) ? time : std::nullopt;
  };
  const json details = output->details();
  const auto start = time_in(details, "job_start", 1);
  const auto end = time_in(details, "job_end", 1);
  if (!summary.span && start && end && *start <= *end) summary.span = TimeSpan{*start, *end};
  const json* steps = object_in(details, "step_num");
  if (steps == nullptr || !summary.span) return;
  // The start of the last step stands beside the first; when that step ended is not recorded.
  const auto first = time_in(*steps, "first", 1e6);
  if (!summary.training_loop_start && first && summary.span->contains(*first))
    summary.training_loop_start = first;
}

} // namespace debrief::sagemaker_figures

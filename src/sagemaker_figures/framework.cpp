#include "sagemaker_figures/details.h"
#include "sagemaker_figures/figures.h"

#include <algorithm>
#include <cmath>

namespace debrief::sagemaker_figures {

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
  framework.phase = shares(output->details(), "phase");
  framework.forward_backward = shares(output->details(), "forward_backward");
  framework.ratio = shares(output->details(), "ratio");
  framework.general = shares(output->details(), "general");
  framework.collectives = shares(output->details(), "horovod");
  framework.cpu_operators = operators(output->details(), "CPU");
  framework.gpu_operators = operators(output->details(), "GPU");
  if (!framework.cpu_operators.rows.empty() || !framework.gpu_operators.rows.empty())
    framework.operator_source = result::kFromRuleOutputs;
  return framework;
}

result::DataLoading recorded_data_loading(const job::Job& job) {
  result::DataLoading loading;
  const job::RuleOutput* output = find_recorded(job, "Dataloader");
  if (output == nullptr) return loading;
  const json& details = output->details();
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
  row.what = "load";
  row.count = output->datapoints;
  row.p25 = *p25;
  row.p50 = *p50;
  row.p95 = *p95;
  row.histogram = histogram_in(*times);
  loading.times.push_back(std::move(row));
  loading.source = result::kFromRuleOutputs;
  return loading;
}

} // namespace debrief::sagemaker_figures

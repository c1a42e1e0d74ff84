#include "rules/profiler_report.h"

#include "rules/bottleneck.h"
#include "rules/details.h"
#include "rules/model/run_model_rules.h"
#include "util/parallel.h"
#include "util/text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace debrief::rules {

namespace {

bool has_input(const job::Job& job, RuleInputKind kind) {
  return kind == RuleInputKind::system_metrics ? !job.metrics.empty()
                                               : aggregate::has_timelines(job.events);
}

/// Name and value as SageMaker's files have them. Its StepOutlier writes one of them twice.
std::vector<std::pair<std::string, std::string>> parameters_of(const Rule& rule,
                                                               const ParameterValues& values) {
  std::vector<std::pair<std::string, std::string>> list;
  if (rule.declaration.name == "StepOutlier") list.emplace_back("threshold", values.text("stddev"));
  for (const Parameter& parameter : rule.declaration.parameters)
    if (parameter.name != "scan_interval_us")
      list.emplace_back(parameter.name, values.text(parameter.name));
  return list;
}

result::RuleRow run(const Rule& rule, const RuleInput& input, const RuleSettings& settings) {
  const job::RuleOutput* recorded = nullptr;
  if (!has_input(input.job, rule.declaration.looks_at))
    recorded = sagemaker_figures::find_recorded(input.job, rule.declaration.name);
  if (recorded != nullptr && !rule.declaration.needs_figures_only) {
    result::RuleRow row = recorded_row(*recorded, rule, input.result);
    row.recorded_text = recorded->text;
    return row;
  }
  const ParameterValues values = settings.values_for(rule);
  result::RuleRow row = rule.evaluate(input, values);
  row.parameters = parameters_of(rule, values);
  if (recorded != nullptr) {
    row.datapoints = recorded->datapoints;
    row.recorded_text = recorded->text;
    if (row.status != result::RuleStatus::not_evaluated)
      row.reason += row.reason.empty() ? "evaluated again on SageMaker's numbers"
                                       : "; evaluated again on SageMaker's numbers";
  }
  return row;
}

} // namespace

std::vector<result::RuleRow> run_rules(const RuleInput& input, const RuleSettings& settings) {
  std::vector<Rule> rules;
  for (const Rule& rule : all_rules())
    if (rule.evaluate != nullptr) rules.push_back(rule);
  std::vector<result::RuleRow> rows(rules.size());
  parallel_for(rules.size(), [&](std::size_t i) {
    rows[i] = run(rules[i], input, settings);
    rows[i].rule = rules[i].declaration.name;
    rows[i].description = rules[i].declaration.description;
    rows[i].recommendation = rules[i].declaration.recommendation;
  });
  std::vector<result::RuleRow> on_model = model::run_model_rules(input, settings);
  std::move(on_model.begin(), on_model.end(), std::back_inserter(rows));
  sort_rows(rows);
  return rows;
}

void sort_rows(std::vector<result::RuleRow>& rows) {
  std::stable_sort(
      rows.begin(), rows.end(),
      [](const result::RuleRow& a, const result::RuleRow& b) { return a.triggered > b.triggered; });
}

namespace {

using nlohmann::json;
using result::RuleRow;
using result::RuleStatus;

/// "threshold:3\nmode:None" as names and values.
std::vector<std::pair<std::string, std::string>> parse_parameters(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> list;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (const std::size_t colon = line.find(':'); colon != line.npos)
      list.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    begin = end + 1;
  }
  return list;
}

std::size_t patience_of(const RuleRow& row) {
  std::size_t patience = 0;
  for (const auto& [name, value] : row.parameters)
    if (name == "patience") std::from_chars(value.data(), value.data() + value.size(), patience);
  return patience;
}

/// What a rule on samples needs and the job does not have; empty where all is there.
std::string missing_metric(const std::string& rule, const std::vector<result::UsageRow>& usage) {
  const auto has = [&](result::Metric metric) {
    return std::any_of(usage.begin(), usage.end(),
                       [&](const result::UsageRow& row) { return row.metric == metric; });
  };
  if (!has(result::Metric::gpu)) return "GPU utilization";
  if (rule == "IOBottleneck" && !has(result::Metric::io)) return "I/O wait";
  if ((rule == "GPUMemoryIncrease" || rule == "BatchSize") && !has(result::Metric::gpu_memory))
    return "GPU memory";
  return (rule == "BatchSize" || rule == "CPUBottleneck") && !has(result::Metric::cpu)
             ? "CPU utilization"
             : "";
}

/// A rule on steps or data loading: there must have been enough of them.
void judge_events(const job::RuleOutput& output, const std::string& what, RuleRow& row) {
  const json details = output.details();
  const json* steps = sagemaker_figures::object_in(details, "step_details");
  const bool evaluated = steps != nullptr ? !steps->empty() : row.datapoints > 10;
  if (row.datapoints == 0)
    row.reason = "no " + what + " was recorded";
  else if (!evaluated && row.triggered == 0)
    row.reason = count_of(static_cast<std::size_t>(row.datapoints), what) +
                 " recorded, too few for this rule";
  if (row.reason.empty())
    row.status = row.triggered > 0 ? RuleStatus::issue_found : RuleStatus::no_issue;
}

} // namespace

RuleRow recorded_row(const job::RuleOutput& output, const Rule& rule,
                     const result::Result& result) {
  RuleRow row;
  row.recorded_by_sagemaker = true;
  row.triggered = output.triggered;
  row.violations = output.violations;
  row.datapoints = output.datapoints;
  row.parameters = parse_parameters(output.parameters);
  const std::string& name = rule.declaration.name;
  if (name.starts_with("Overall")) {
    const bool any = name == "OverallSystemUsage" ? !result.system_usage.empty()
                                                  : !result.framework.phase.empty();
    row.status = any ? RuleStatus::no_issue : RuleStatus::not_evaluated;
    row.reason = any ? "collects metrics; it never triggers" : "SageMaker recorded no metrics";
  } else if (rule.declaration.looks_at == RuleInputKind::framework_events) {
    judge_events(output, name == "StepOutlier" ? "step" : "data-loader event", row);
  } else {
    const std::string missing = missing_metric(name, result.system_usage);
    judge_samples(row, missing, missing.empty() ? static_cast<std::size_t>(row.datapoints) : 0,
                  patience_of(row));
    const auto low = sagemaker_figures::count_in(output.details(), "low_gpu_utilization");
    if (low && row.status != RuleStatus::not_evaluated && *low <= row.datapoints &&
        row.violations <= *low)
      row.parts = bottleneck_parts(row.datapoints, *low, row.violations);
  }
  if (row.status == RuleStatus::not_evaluated) row.triggered = 0; // nothing is said of the job
  return row;
}

} // namespace debrief::rules

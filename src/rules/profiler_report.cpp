#include "rules/profiler_report.h"

#include "rules/recorded_row.h"
#include "util/parallel.h"

#include <algorithm>

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
      row.reason += row.reason.empty() ? "evaluated anew on SageMaker's figures"
                                       : "; evaluated anew on SageMaker's figures";
  }
  return row;
}

} // namespace

std::vector<result::RuleRow> run_rules(const RuleInput& input, const RuleSettings& settings) {
  const auto rules = all_rules();
  std::vector<result::RuleRow> rows(rules.size());
  parallel_for(rules.size(), [&](std::size_t i) {
    rows[i] = run(rules[i], input, settings);
    rows[i].rule = rules[i].declaration.name;
    rows[i].description = rules[i].declaration.description;
    rows[i].recommendation = rules[i].declaration.recommendation;
  });
  std::stable_sort(
      rows.begin(), rows.end(),
      [](const result::RuleRow& a, const result::RuleRow& b) { return a.triggered > b.triggered; });
  return rows;
}

} // namespace debrief::rules

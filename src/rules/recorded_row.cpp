#include "rules/recorded_row.h"

#include "rules/device_details.h"

#include <algorithm>
#include <charconv>

namespace debrief {

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

/// Moments with a GPU above the threshold, below without and below with a bottleneck.
void read_parts(const json& details, RuleRow& row) {
  const auto low = count_in(details, "low_gpu_utilization");
  if (!low || *low > row.datapoints || row.violations > *low) return;
  const auto part = [&](const char* name, std::int64_t count) {
    return result::DatapointPart{
        name, count, 100 * static_cast<double>(count) / static_cast<double>(row.datapoints)};
  };
  row.parts = {part("GPUs above the threshold", row.datapoints - *low),
               part("a GPU below, no bottleneck", *low - row.violations),
               part("a GPU below, with a bottleneck", row.violations)};
}

/// A rule on steps or data loading: there must have been enough of them.
void judge_events(const RuleOutput& output, const std::string& what, RuleRow& row) {
  const json* steps = object_in(output.details, "step_details");
  const bool evaluated = steps != nullptr ? !steps->empty() : row.datapoints > 10;
  if (row.datapoints == 0)
    row.reason = "no " + what + " was recorded";
  else if (!evaluated && row.triggered == 0)
    row.reason = std::to_string(row.datapoints) + " events are too few for the rule";
  if (row.reason.empty())
    row.status = row.triggered > 0 ? RuleStatus::issue_found : RuleStatus::no_issue;
}

} // namespace

RuleRow recorded_row(const RuleOutput& output, const Rule& rule, const result::Result& result) {
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
    row.reason = any ? "collects figures; it never triggers" : "SageMaker recorded no figures";
  } else if (rule.declaration.looks_at == RuleInputKind::framework_events) {
    judge_events(output, name == "StepOutlier" ? "step" : "data-loader event", row);
  } else {
    const bool gpus =
        std::any_of(result.system_usage.begin(), result.system_usage.end(),
                    [](const result::UsageRow& usage) { return usage.metric == "GPU"; });
    judge_samples(row, "GPU utilization", gpus ? static_cast<std::size_t>(row.datapoints) : 0,
                  patience_of(row));
    if (name.ends_with("Bottleneck") && row.status != RuleStatus::not_evaluated)
      read_parts(output.details, row);
  }
  return row;
}

} // namespace debrief

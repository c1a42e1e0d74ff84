#include "rules/rule.h"

#include <algorithm>

namespace debrief::rules {

namespace {

std::vector<Rule> make_rules() {
  std::vector<Rule> rules = {
      batch_size_rule(),
      cpu_bottleneck_rule(),
      dataloader_rule(),
      gpu_memory_increase_rule(),
      io_bottleneck_rule(),
      load_balancing_rule(),
      low_gpu_utilization_rule(),
      max_initialization_time_rule(),
      overall_framework_metrics_rule(),
      overall_system_usage_rule(),
      step_outlier_rule(),
  };
  for (Rule& rule : rules)
    rule.declaration.parameters.push_back(scan_interval_parameter());
  return rules;
}

} // namespace

std::span<const Rule> all_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

const Rule* find_rule(std::string_view name) {
  const auto rules = all_rules();
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const Rule& rule) { return rule.declaration.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

RuleOutcome not_evaluated(std::string reason) {
  RuleOutcome outcome;
  outcome.status = result::RuleStatus::not_evaluated;
  outcome.reason = std::move(reason);
  return outcome;
}

} // namespace debrief::rules

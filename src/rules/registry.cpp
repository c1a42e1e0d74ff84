#include "rules/model/model_rules.h"
#include "rules/rule.h"

#include <algorithm>
#include <iterator>

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
  std::vector<Rule> on_model = {
      model::all_zero_rule(),
      model::class_imbalance_rule(),
      model::loss_not_decreasing_rule(),
      model::overfit_rule(),
      model::overtraining_rule(),
      model::similar_across_runs_rule(),
      model::stalled_training_rule(),
      model::tensor_variance_rule(),
      model::unchanged_tensor_rule(),
      model::dead_relu_rule(),
      model::exploding_tensor_rule(),
      model::poor_weight_initialization_rule(),
      model::saturated_activation_rule(),
      model::vanishing_gradient_rule(),
      model::weight_update_ratio_rule(),
      model::check_input_images_rule(),
      model::nlp_sequence_ratio_rule(),
      model::confusion_rule(),
      model::feature_importance_overweight_rule(),
      model::tree_depth_rule(),
  };
  std::move(on_model.begin(), on_model.end(), std::back_inserter(rules));
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

#include "rules/model/run_model_rules.h"

#include "rules/model/losses.h"
#include "rules/model/tensor_courses.h"
#include "rules/model/tensor_pass.h"

#include <algorithm>
#include <deque>

namespace debrief::rules::model {

namespace {

/// One rule under one name, with its parameters and what it finds.
struct Instance {
  const Rule* rule = nullptr;
  std::string name;
  ParameterValues parameters;
  Firings firings;
};

/// A deque: watches refer to the firings.
using Instances = std::deque<Instance>;

template <typename Applies>
Instances instances(const RuleSettings& settings, const Applies& applies) {
  Instances out;
  for (const Rule& rule : all_rules()) {
    if (rule.watch == nullptr || !applies(rule)) continue;
    std::vector<std::string> names = settings.instances_of(rule);
    names.insert(names.begin(), rule.declaration.name);
    for (const std::string& name : names)
      out.push_back({&rule, name, settings.values_for(rule, name), {}});
  }
  return out;
}

bool has_mode(const job::TensorTable& table, job::TensorMode mode) {
  return std::any_of(table.steps.begin(), table.steps.end(),
                     [&](const job::TensorStep& step) { return step.mode == mode; });
}

Instances look_at_tensors(const RuleInput& input, const RuleSettings& settings) {
  const job::TensorTable& table = input.job.tensors;
  const TensorNames names{table};
  const bool xgboost = names.of_xgboost();
  Instances all = instances(settings, [&](const Rule& rule) {
    const RuleGroup group = rule.declaration.group;
    return group == RuleGroup::model || (group == RuleGroup::xgboost) == xgboost;
  });
  job::Troubles lost;
  for (std::uint32_t worker = 0; worker < table.workers.size(); ++worker) {
    const WatchScope scope{names, worker, has_mode(table, job::TensorMode::train),
                           has_mode(table, job::TensorMode::eval), input.other_tensors};
    std::vector<std::unique_ptr<TensorWatch>> watches;
    for (Instance& instance : all) {
      if (table.workers.size() > 1) instance.firings.set_worker(table.workers[worker]);
      // Workers train copies of one network, so the first one's layers are shown.
      instance.firings.keep_layers(worker == 0 && input.model != nullptr &&
                                   instance.rule->declaration.shows_layers &&
                                   instance.name == instance.rule->declaration.name);
      watches.push_back(instance.rule->watch(scope, instance.parameters, instance.firings));
    }
    const TensorCourses* courses = nullptr;
    if (worker == 0 && input.model != nullptr) {
      auto watch = std::make_unique<TensorCourses>(names);
      courses = watch.get();
      watches.push_back(std::move(watch));
    }
    show_tensors(table, worker, watches, lost);
    if (courses != nullptr) courses->add_to(*input.model);
  }
  if (input.model != nullptr)
    for (const Instance& instance : all)
      if (const LayerLog& layers = instance.firings.layers(); !layers.empty()) {
        input.model->measures.push_back(layers.measure());
        input.model->measures.back().rule = instance.name;
      }
  if (input.lost != nullptr) *input.lost = std::move(lost);
  return all;
}

/// Whether the rule runs as SageMaker declares it: nobody asked for other limits.
bool has_defaults(const Instance& instance) {
  const RuleDeclaration& declaration = instance.rule->declaration;
  return instance.name == declaration.name &&
         std::all_of(declaration.parameters.begin(), declaration.parameters.end(),
                     [&](const Parameter& parameter) {
                       return instance.parameters.text(parameter.name) == parameter.default_value;
                     });
}

Instances look_at_losses(const RuleInput& input, const RuleSettings& settings) {
  const LossLog log = losses_of(input.job.scalars);
  if (log.losses.empty()) return {};
  Instances all =
      instances(settings, [](const Rule& rule) { return rule.judge_losses != nullptr; });
  for (Instance& instance : all) {
    instance.rule->judge_losses(log, instance.parameters, instance.firings);
    if (instance.rule->declaration.triggers_on_noise && !input.has_model_trouble &&
        has_defaults(instance))
      instance.firings.take_for_noise();
  }
  return all;
}

} // namespace

std::vector<result::RuleRow> run_model_rules(const RuleInput& input, const RuleSettings& settings) {
  Instances all = input.job.tensors.empty() ? look_at_losses(input, settings)
                                            : look_at_tensors(input, settings);
  std::vector<result::RuleRow> rows;
  for (Instance& instance : all) {
    result::RuleRow row = std::move(instance.firings).row();
    const RuleDeclaration& declaration = instance.rule->declaration;
    row.rule = instance.name;
    row.description = declaration.description;
    row.recommendation = declaration.recommendation;
    for (const Parameter& parameter : declaration.parameters)
      row.parameters.emplace_back(parameter.name, instance.parameters.text(parameter.name));
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace debrief::rules::model

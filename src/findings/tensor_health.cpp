#include "findings/tensor_health.h"

#include "findings/thresholds.h"

#include <algorithm>

namespace debrief::findings {

namespace {

bool is_bias(std::string_view name) {
  return name.ends_with("bias") || name.ends_with("bias:0");
}

const result::RuleRow* triggered_row(std::span<const result::RuleRow> rules,
                                     std::string_view rule) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const result::RuleRow& row) {
    return row.rule == rule && row.status == result::RuleStatus::issue_found;
  });
  return found == rules.end() ? nullptr : &*found;
}

/// When a step's tensors were written.
std::optional<Microseconds> saved_at(std::int64_t step, const job::TensorTable& tensors) {
  for (const job::TensorStep& saved : tensors.steps)
    if (saved.step == step)
      if (const auto written = tensors.source->written(saved, tensors.records_of(saved)))
        return written->last;
  return std::nullopt;
}

/// How many gradients of weights the job saved.
std::size_t weight_gradients(const job::TensorTable& tensors) {
  return static_cast<std::size_t>(
      std::count_if(tensors.names.begin(), tensors.names.end(), [](const std::string& name) {
        return name.starts_with("gradient") && !is_bias(name);
      }));
}

} // namespace

std::vector<const result::TensorFinding*> lasting(std::span<const result::RuleRow> rules,
                                                  std::string_view rule) {
  std::vector<const result::TensorFinding*> out;
  const result::RuleRow* row = triggered_row(rules, rule);
  if (row == nullptr) return out;
  for (const result::TensorFinding& found : row->model.tensors)
    if (found.unbroken_from && found.unbroken_count >= thresholds::kMinSavedSteps)
      out.push_back(&found);
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return *a->unbroken_from < *b->unbroken_from;
  });
  return out;
}

std::vector<const result::TensorFinding*>
vanished_gradients(std::span<const result::RuleRow> rules) {
  std::vector<const result::TensorFinding*> out = lasting(rules, "VanishingGradient");
  std::erase_if(out, [](const result::TensorFinding* found) { return is_bias(found->tensor); });
  return out;
}

std::optional<ModelTrouble> find_tensor_trouble(std::span<const result::RuleRow> rules,
                                                const job::TensorTable& tensors) {
  if (tensors.empty()) return std::nullopt;
  const auto vanished = vanished_gradients(rules);
  const std::size_t all = weight_gradients(tensors);
  const auto most = static_cast<std::size_t>(thresholds::kMostLayers * static_cast<double>(all));
  if (vanished.empty() || vanished.size() <= most) return std::nullopt;
  ModelTrouble out;
  out.kind = result::FindingKind::vanishing_gradients;
  out.step = *vanished[most]->unbroken_from; // from here on it is most of them
  out.last_step = tensors.steps.back().step;
  out.scalar = vanished.front()->tensor;
  out.points = vanished.front()->unbroken_count;
  out.time = saved_at(out.step, tensors);
  return out;
}

} // namespace debrief::findings

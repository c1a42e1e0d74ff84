// What lasts up to the end of the job in its saved tensors: gradients that vanish, units that are
// dead, a class that the model gets wrong.
#include "findings/detectors/detectors.h"
#include "findings/tensor_health.h"
#include "findings/words.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace debrief::findings {

namespace {

using result::FindingKind;
using result::TensorFinding;

/// A finding that costs nothing that could be measured: the job went on learning, only worse.
result::Finding tensor_finding(FindingKind kind, const std::vector<const TensorFinding*>& found) {
  result::Finding finding;
  finding.kind = kind;
  finding.severity = result::Severity::warning;
  finding.confidence = result::Confidence::medium;
  finding.ground =
      fmt::format("{} of {}", words::counted(found.front()->unbroken_count, "saved step"),
                  found.front()->tensor);
  finding.evidence.push_back({"tensors", static_cast<double>(found.size()), ""});
  finding.evidence.push_back(
      {"first step", static_cast<double>(*found.front()->unbroken_from), ""});
  if (found.front()->value) finding.evidence.push_back({"value", *found.front()->value, ""});
  return finding;
}

/// "from step 1,200 to the end".
std::string since_text(const TensorFinding& found) {
  return fmt::format("from step {} to the end", count_text(*found.unbroken_from));
}

std::string value_of(const TensorFinding& found) {
  return found.value ? fmt::format("{:.3g}", *found.value) : "not finite";
}

/// "block1.relu_output_0 and 3 others".
std::string and_others(const std::vector<const TensorFinding*>& found) {
  if (found.size() == 1) return found.front()->tensor;
  return fmt::format("{} and {}", found.front()->tensor,
                     words::counted(static_cast<std::int64_t>(found.size() - 1), "other tensor"));
}

} // namespace

std::optional<result::Finding> find_vanishing_gradients(const DiagnosisContext& ctx) {
  const auto vanished = vanished_gradients(ctx.result.rules);
  if (vanished.empty()) return std::nullopt;
  const bool most = ctx.trouble != nullptr && ctx.trouble->kind == FindingKind::vanishing_gradients;
  std::optional<result::Finding> cost;
  if (most) cost = cost_finding(ctx, FindingKind::vanishing_gradients);
  result::Finding finding = tensor_finding(FindingKind::vanishing_gradients, vanished);
  if (cost) {
    finding.score = cost->score;
    finding.windows = std::move(cost->windows);
    finding.window_count = cost->window_count;
    finding.window_seconds = cost->window_seconds;
    finding.severity = std::max(finding.severity, cost->severity);
  }
  finding.title = most ? "Gradients vanish in most layers" : "Gradients vanish in some layers";
  finding.why =
      fmt::format("{} vanished {}. The mean absolute value of the first was {}.",
                  and_others(vanished), since_text(*vanished.front()), value_of(*vanished.front()));
  finding.why += " These layers no longer learn.";
  if (most) finding.why += model_cost(ctx, *ctx.trouble, finding.score);
  finding.actions = {"Use ReLU-like activations, normalization layers or residual connections in "
                     "front of these layers.",
                     "Check the scale of the inputs and of the initial weights."};
  return finding;
}

std::optional<result::Finding> find_dead_units(const DiagnosisContext& ctx) {
  auto found = lasting(ctx.result.rules, "DeadRelu");
  const bool dead = !found.empty();
  if (!dead) found = lasting(ctx.result.rules, "SaturatedActivation");
  if (found.empty()) return std::nullopt;
  result::Finding finding = tensor_finding(FindingKind::dead_units, found);
  finding.title = dead ? "Most units of a layer are dead" : "Most units of a layer are saturated";
  finding.why = fmt::format(
      "In {}, {}% of the units {} {}. They get no gradient and no longer learn.", and_others(found),
      value_of(*found.front()), dead ? "output zero for nearly every sample" : "are saturated",
      since_text(*found.front()));
  finding.actions =
      dead ? std::vector<std::string>{"Lower the learning rate and check the biases of this layer.",
                                      "Try LeakyReLU, GELU or ELU instead of ReLU."}
           : std::vector<std::string>{"Scale the inputs to zero mean and unit variance.",
                                      "Add normalization in front of this activation, or use "
                                      "smaller initial weights."};
  return finding;
}

std::optional<result::Finding> find_class_imbalance(const DiagnosisContext& ctx) {
  // Uneven data is no fault by itself, nor is a hard class.
  const auto found = lasting(ctx.result.rules, "ClassImbalance");
  if (found.size() < 2) return std::nullopt;
  const TensorFinding* ratio = found[0];
  const TensorFinding* wrong = found[1];
  if (!ratio->condition.starts_with("ratio")) std::swap(ratio, wrong);
  result::Finding finding = tensor_finding(FindingKind::class_imbalance, found);
  finding.title = "The model fails on a rare class";
  finding.why = fmt::format("The largest class is {} times as frequent as the smallest. The model "
                            "gets {} of one class wrong.",
                            value_of(*ratio), words::percent(wrong->value.value_or(1)));
  finding.actions = {"Weight the loss by class, or sample rare classes more often.",
                     "Judge the model by recall or F1 of each class, not by accuracy."};
  return finding;
}

} // namespace debrief::findings

// Whether the network still learns, by what the rules found in its saved tensors. A rule sees
// single steps; here only what lasts up to the end counts.
#pragma once

#include "findings/model_health.h"
#include "job/tensors.h"
#include "result/rules.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace debrief::findings {

/// What a rule found of tensors whose condition is true from some step up to the end, at enough
/// saved steps; by step. Empty where the rule did not trigger.
std::vector<const result::TensorFinding*> lasting(std::span<const result::RuleRow> rules,
                                                  std::string_view rule);

/// The same for gradients that vanish. Those of biases do not count: in front of a normalization
/// layer they are zero in a healthy network, too.
std::vector<const result::TensorFinding*>
vanished_gradients(std::span<const result::RuleRow> rules);

/// Gradients vanish in most layers, so that what the GPUs did since then was for nothing.
std::optional<ModelTrouble> find_tensor_trouble(std::span<const result::RuleRow> rules,
                                                const job::TensorTable& tensors);

} // namespace debrief::findings

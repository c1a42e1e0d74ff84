// One name for what different tools call differently: a scalar that a training script logged.
#pragma once

#include <string>
#include <string_view>

namespace debrief {

/// What names of one scalar in different tools have in common: "train/loss" and "loss" -> "loss",
/// "eval/loss" and "eval_loss" -> "eval loss".
std::string scalar_key(std::string_view name);

} // namespace debrief

// What a training script logged while it trained: one series of (step, time, value) per scalar, as
// a tracker left it on disk (TensorBoard, W&B, MLflow, Hugging Face, Lightning) or SageMaker
// Debugger saved it.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::job {

/// Who wrote a scalar down. Where two have the same one, the first of this order is taken: it knows
/// when each value was logged, or has more of them.
enum class ScalarSource {
  tensorboard,
  wandb,
  mlflow,
  trainer_state,
  lightning_csv,
  xgboost,
  debugger
};

std::string_view to_string(ScalarSource source);

/// The most that a step can be, and as far below 0 the least: what lies beyond counts nothing, and
/// differences of such numbers overflow.
inline constexpr std::int64_t kMostStep = 1'000'000'000'000'000;

constexpr bool is_step(std::int64_t number) {
  return -kMostStep <= number && number <= kMostStep;
}

/// Columns of equal length, in the order of steps (where a run was resumed, of what counts: values
/// that a later attempt logged again replace the earlier ones).
struct ScalarSeries {
  std::string run;  ///< folder or id that tells runs of one job apart; empty where there is one
  std::string name; ///< as its tool has it: "train/loss", "eval_loss"
  ScalarSource source = ScalarSource::tensorboard;
  std::vector<std::int64_t> steps; ///< ascending, none twice
  std::vector<Microseconds> times; ///< since the epoch; empty where the tool writes none
  std::vector<double> values;      ///< NaN and infinity are kept: they are what matters most

  std::size_t size() const { return values.size(); }

  bool has_times() const { return !times.empty(); }
};

/// What a tool says of the run as a whole; absent what it does not say.
struct TrainingTotals {
  std::optional<double> runtime;            ///< seconds of training, evaluation included
  std::optional<double> evaluation_runtime; ///< seconds of all evaluations
  std::optional<std::int64_t> evaluations;
  std::optional<double> samples_per_second;
  std::optional<double> tokens_per_second;
  std::optional<double> total_flos; ///< floating-point operations, as the trainer estimates them
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> batch_size; ///< per device
};

/// What names of one scalar in different tools have in common: "train/loss" and "loss" -> "loss",
/// "eval/loss" and "eval_loss" -> "eval loss".
std::string scalar_key(std::string_view name);

} // namespace debrief::job

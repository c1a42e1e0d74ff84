// Losses over steps, out of saved tensors or out of what a tracker logged: what the rules on
// learning judge.
#pragma once

#include "job/scalars.h"
#include "rules/model/tensor_watch.h"
#include "util/time.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::rules::model {

struct LossPoint {
  std::int64_t step = 0;
  double value = 0;
  job::TensorMode mode = job::TensorMode::global;
};

struct LossSeries {
  std::string name;
  std::vector<LossPoint> points; ///< by step
};

/// A training loss and the validation loss that belongs to it.
struct LossPair {
  std::string name; ///< of the training loss
  std::vector<LossPoint> train;
  std::vector<LossPoint> validation; ///< empty where there is none
};

/// When a step was logged.
struct LoggedTime {
  std::int64_t step = 0;
  Microseconds time = 0;
};

struct LossLog {
  std::vector<LossSeries> losses;
  std::vector<LossPair> pairs;   ///< of those that have both
  std::vector<LoggedTime> times; ///< of all that was logged, ascending; of scalars only
  bool of_tensors = false;       ///< saved tensors; else logged scalars
};

/// What a job logged of its losses, training and evaluation; nothing where it logged none. A loss
/// that the log has as 0 in place of NaN is NaN.
LossLog losses_of(std::span<const job::ScalarSeries> scalars);

/// Collects losses and judges them when all steps were seen. `also` are tensors beyond the
/// collection "losses"; with `losses_too` false only those count.
std::unique_ptr<TensorWatch> watch_losses(const WatchScope& scope, const TensorIds& also,
                                          bool losses_too, Firings& firings,
                                          std::function<void(const LossLog&)> judge);

} // namespace debrief::rules::model

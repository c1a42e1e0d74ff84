// Overtraining: has a loss long been no better than its best?
#include "rules/model/losses.h"
#include "rules/model/model_rules.h"

#include <fmt/format.h>

#include <limits>

namespace debrief::rules::model {

namespace {

/// Adds every step at which the last `patience` values brought no new best.
void judge_stall(const std::string& name, const std::vector<LossPoint>& points, double patience,
                 double delta, Firings& firings) {
  double best = std::numeric_limits<double>::infinity();
  double waited = 0;
  for (const LossPoint& point : points) {
    firings.looked();
    if (point.value < best - delta) {
      best = point.value;
      waited = 0;
    } else if (++waited >= patience) {
      firings.add(name, point.step, {"values without a new best", "at least", waited, patience});
    }
  }
}

void judge_overtraining(const LossLog& log, const ParameterValues& parameters, Firings& firings) {
  const double patience_train = parameters.number("patience_train");
  const double patience_validation = parameters.number("patience_validation");
  const double delta = parameters.number("delta");
  for (const LossPair& pair : log.pairs) {
    judge_stall(pair.name + " (train)", pair.train, patience_train, delta, firings);
    judge_stall(pair.name + " (validation)", pair.validation, patience_validation, delta, firings);
  }
  if (log.pairs.empty())
    for (const LossSeries& loss : log.losses)
      judge_stall(loss.name + " (train)", loss.points, patience_train, delta, firings);
}

std::unique_ptr<TensorWatch>
watch_overtraining(const WatchScope& scope, const ParameterValues& parameters, Firings& firings) {
  return watch_losses(scope, {}, true, firings, [parameters, &firings](const LossLog& log) {
    judge_overtraining(log, parameters, firings);
  });
}

} // namespace

Rule overtraining_rule() {
  return {{.name = "Overtraining",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors_or_losses,
           .description = "Finds losses that have not improved for a while, in training or in "
                          "validation.",
           .recommendation = "Stop early, and keep the checkpoint of the best validation loss.",
           .parameters = {{"patience_train", ParameterType::integer, "5", 1, 1e9, "values",
                           "Saved training losses without a new best"},
                          {"patience_validation", ParameterType::integer, "10", 1, 1e9, "values",
                           "Saved validation losses without a new best"},
                          {"delta", ParameterType::number, "0.01", 0, 1e9, "",
                           "How much lower a loss must be to be a new best"}},
           .triggers_on_noise = true},
          nullptr,
          watch_overtraining,
          judge_overtraining};
}

} // namespace debrief::rules::model

// LossNotDecreasing: does the loss fall by enough from one check to the next?
#include "rules/model/losses.h"
#include "rules/model/model_rules.h"

#include <cmath>

namespace debrief::rules::model {

namespace {

struct DescentLimits {
  std::int64_t steps = 0;              ///< at least so many between two that are compared
  double fall = 0;                     ///< percent
  double rise = 0;                     ///< percent
  std::optional<job::TensorMode> mode; ///< nothing: all
};

DescentLimits descent_limits(const ParameterValues& parameters) {
  DescentLimits limits{static_cast<std::int64_t>(parameters.number("num_steps")),
                       parameters.number("diff_percent"),
                       parameters.number("increase_threshold_percent"),
                       {}};
  if (const auto mode = job::tensor_mode(parameters.text("mode"));
      mode && *mode != job::TensorMode::global)
    limits.mode = mode;
  return limits;
}

/// A value that is not finite did not fall; one that follows such a value did.
void compare_losses(const std::string& name, std::int64_t step, double before, double now,
                    const DescentLimits& limits, Firings& firings) {
  firings.looked();
  if (!std::isfinite(before) || !std::isfinite(now)) {
    if (!std::isfinite(now))
      firings.add(name, step, {"percentage by which the loss fell", "below", now, limits.fall});
    return;
  }
  const double fall = before != 0 ? 100 * (before - now) / std::abs(before) : 0;
  if (fall >= limits.fall) return;
  if (-fall > limits.rise)
    firings.add(name, step, {"percentage by which the loss rose", "above", -fall, limits.rise});
  else
    firings.add(name, step, {"percentage by which the loss fell", "below", fall, limits.fall});
}

void judge_descent(const LossLog& log, const ParameterValues& parameters, Firings& firings) {
  const DescentLimits limits = descent_limits(parameters);
  for (const LossSeries& loss : log.losses) {
    std::vector<LossPoint> points;
    for (const LossPoint& point : loss.points)
      if (!limits.mode || point.mode == *limits.mode) points.push_back(point);
    if (points.empty()) continue;
    std::int64_t last_check = points.front().step;
    std::size_t earlier = 0; // points before it are at least num_steps away
    for (const LossPoint& point : points) {
      while (points[earlier].step <= point.step - limits.steps)
        ++earlier;
      if (earlier == 0 || point.step < last_check + limits.steps) continue;
      last_check = point.step;
      compare_losses(loss.name, point.step, points[earlier - 1].value, point.value, limits,
                     firings);
    }
  }
  firings.explain("no loss was saved at steps that are num_steps apart");
}

std::unique_ptr<TensorWatch> watch_loss_not_decreasing(const WatchScope& scope,
                                                       const ParameterValues& parameters,
                                                       Firings& firings) {
  const TensorIds also =
      scope.names.selected(parameters.list("collection_names"), parameters.list("tensor_regex"));
  return watch_losses(
      scope, also, parameters.flag("use_losses_collection"), firings,
      [parameters, &firings](const LossLog& log) { judge_descent(log, parameters, firings); });
}

} // namespace

Rule loss_not_decreasing_rule() {
  std::vector<Parameter> parameters = selection_parameters("None", "None");
  parameters.push_back(
      flag_parameter("use_losses_collection", "True", "Look at the collection losses as well"));
  parameters.push_back({"num_steps", ParameterType::integer, "10", 1, 1e12, "steps",
                        "Steps between two losses that are compared, at least"});
  parameters.push_back(
      percent_parameter("diff_percent", "0.1", "Percentage by which the loss must fall"));
  parameters.push_back(percent_parameter("increase_threshold_percent", "5",
                                         "Percentage above which a rise is reported as one"));
  parameters.push_back(
      {"mode", ParameterType::loss_mode, "GLOBAL", 0, 0, "", "Steps to look at; GLOBAL: all"});
  return {{.name = "LossNotDecreasing",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors_or_losses,
           .description = "Checks that the loss falls from one check to the next.",
           .recommendation = "Try a lower or a higher learning rate, and check that gradients "
                             "reach the parameters. Stop where the model has learned what it can.",
           .parameters = std::move(parameters),
           .triggers_on_noise = true},
          nullptr,
          watch_loss_not_decreasing,
          judge_descent};
}

} // namespace debrief::rules::model

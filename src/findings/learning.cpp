#include "findings/learning.h"

#include "findings/loss_levels.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <cmath>

namespace debrief::findings {

namespace {

using namespace thresholds;

/// Whether a loss on held-out data was ever clearly better than at first.
bool has_improved(const Course& evaluation) {
  if (evaluation.size() < 2) return false;
  const std::vector<double>& values = evaluation.values;
  const double fall = values.front() - *std::min_element(values.begin(), values.end());
  return fall > std::max(kMinDescent * std::abs(values.front()), kSureNoise * noise_of(values)) ||
         !is_flat(values);
}

/// Whether the last value is below all that came before a step.
bool ends_below(const Course& losses, std::int64_t step) {
  const auto at = std::lower_bound(losses.steps.begin(), losses.steps.end(), step);
  const auto before = at - losses.steps.begin();
  if (before == 0 || at == losses.steps.end()) return false;
  const auto begin = losses.values.begin();
  return losses.values.back() < *std::min_element(begin, begin + before);
}

} // namespace

bool rises_clearly(std::span<const double> accuracy) {
  if (accuracy.empty() || !is_rising(accuracy)) return false;
  const std::vector<double> levels = stretches(accuracy);
  const double most = *std::max_element(accuracy.begin(), accuracy.end());
  const double whole = most <= 1 ? 1 : 100;
  const double per_level =
      std::sqrt(static_cast<double>(accuracy.size()) / static_cast<double>(levels.size()));
  const double worth = kMinGained * std::min(levels.front(), whole - levels.front());
  return levels.back() - levels.front() >
         std::max(worth, kSureNoise * noise_of(accuracy) / per_level);
}

bool learned_elsewhere(const ModelLog& log) {
  if (log.evaluation && log.evaluation.measure != Measure::accuracy &&
      has_improved(evaluations_of(log.evaluation)))
    return true;
  return std::any_of(log.accuracies.begin(), log.accuracies.end(), [](const auto* accuracy) {
    return accuracy != nullptr && rises_clearly(course_of(*accuracy, accuracy->values).values);
  });
}

bool ends_better_than_before(const ModelLog& log, std::int64_t step) {
  if (log.evaluation && ends_below(evaluations_of(log.evaluation), step)) return true;
  return std::any_of(log.accuracies.begin(), log.accuracies.end(), [&](const auto* accuracy) {
    return accuracy != nullptr && ends_below(as_losses({accuracy, Measure::accuracy}), step);
  });
}

} // namespace debrief::findings

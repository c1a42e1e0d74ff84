#include "findings/model_health.h"

#include "aggregate/curves.h"
#include "findings/loss_levels.h"
#include "findings/model_log.h"
#include "findings/thresholds.h"
#include "util/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace debrief::findings {

namespace {

using namespace thresholds;
using job::ScalarSeries;
using result::FindingKind;

ModelTrouble trouble_of(FindingKind kind, const ScalarSeries& series, std::int64_t step) {
  ModelTrouble out;
  out.kind = kind;
  out.step = step;
  out.last_step = series.steps.back();
  out.scalar = series.name;
  out.points = static_cast<std::int64_t>(series.size());
  return out;
}

std::optional<double> last_finite_before(std::span<const double> values, std::size_t end) {
  while (end > 0)
    if (std::isfinite(values[--end])) return values[end];
  return std::nullopt;
}

/// Where evaluation alone tells: one that is broken may be its own fault, and so may all of them.
std::optional<ModelTrouble> evaluation_not_finite(const ScalarSeries& evaluation) {
  const std::size_t from = broken_from(evaluation.values);
  if (from == 0 || from + 1 >= evaluation.size()) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::diverged, evaluation, evaluation.steps[from]);
  out.of_evaluation = true;
  out.not_finite = true;
  out.before = last_finite_before(evaluation.values, from);
  return out;
}

std::optional<ModelTrouble> not_finite(const ModelLog& log, std::span<const double> losses) {
  const std::size_t from = broken_from(losses);
  if (from == losses.size())
    return log.evaluation == nullptr ? std::nullopt : evaluation_not_finite(*log.evaluation);
  ModelTrouble out = trouble_of(FindingKind::diverged, *log.train, log.train->steps[from]);
  out.not_finite = true;
  out.before = last_finite_before(losses, from);
  if (log.gradient != nullptr) {
    const std::size_t broken = broken_from(log.gradient->values);
    if (broken < log.gradient->size() && log.gradient->steps[broken] <= out.step) {
      out.gradient_step = log.gradient->steps[broken];
      out.step = *out.gradient_step;
    }
  }
  return out;
}

/// The loss rose far above where it began, and stays there.
std::optional<ModelTrouble> exploded(const ScalarSeries& series, const Course& loss) {
  const std::span<const double> values = loss.values;
  if (values.size() < kMinLossPoints) return std::nullopt;
  const std::vector<double> levels = stretches(values);
  constexpr std::size_t kTail = 3; // stretches: a spike is shorter
  const std::size_t tail = std::min(kTail, levels.size());
  const std::span<const double> last{levels.data() + levels.size() - tail, tail};
  const double start = levels.front();
  const double end = median(std::vector<double>(last.begin(), last.end()));
  const double least_of_end = *std::min_element(last.begin(), last.end());
  const auto best = std::min_element(levels.begin(), levels.end());
  if (start <= 0 || *best <= 0) return std::nullopt; // no ratio
  const bool far_up = least_of_end > kExploded * start;
  const bool lost_all = *best < kLearned * start && least_of_end > start;
  if ((!far_up && !lost_all) || least_of_end < *best + kSureNoise * noise_of(values))
    return std::nullopt;
  // The last stretch that was nearer to the best than to the end.
  const double middle = (*best + end) / 2;
  std::size_t from = levels.size();
  while (from > 0 && levels[from - 1] > middle)
    --from;
  const std::size_t row = std::min(values.size() * from / levels.size(), values.size() - 1);
  if (trend_z(stretches(values.subspan(row))) < -kSureTrend) return std::nullopt; // it comes back
  ModelTrouble out = trouble_of(FindingKind::diverged, series, loss.steps[row]);
  out.before = *best;
  out.after = end;
  return out;
}

/// The loss of training, with and without its last row: a script may add one after all others.
std::optional<ModelTrouble> exploded_but_for_last(const ScalarSeries& series, const Course& loss) {
  auto found = exploded(series, loss);
  if (!found && loss.size() > kMinLossPoints) found = exploded(series, loss.without_last());
  return found;
}

/// The first step with the learning rate that a warm-up leads to; nothing where there is none.
std::optional<std::int64_t> end_of_warm_up(const ScalarSeries* learning_rate) {
  if (learning_rate == nullptr || learning_rate->size() < 3) return std::nullopt;
  const std::vector<double>& rates = learning_rate->values;
  const auto most = std::max_element(rates.begin(), rates.end());
  if (!(rates.front() < kWarmUpStart * *most)) return std::nullopt;
  return learning_rate->steps[static_cast<std::size_t>(most - rates.begin())];
}

/// Whether too little was logged after the learning rate's warm-up to expect that anything was
/// learned.
bool is_warming_up(const ModelLog& log, const Course& loss) {
  const auto end = end_of_warm_up(log.learning_rate);
  if (!end) return false;
  const auto after = std::lower_bound(loss.steps.begin(), loss.steps.end(), *end);
  return static_cast<std::size_t>(loss.steps.end() - after) < kMinFlatPoints;
}

/// A run that was resumed has learned before its log begins.
bool is_resumed(const Course& loss) {
  return static_cast<double>(loss.steps.front()) >
         kMaxFirstStep * static_cast<double>(loss.steps.back());
}

/// A language model guesses among all tokens at first; one that knows nothing but how frequent each
/// is stays at a loss of about 7.
bool knows_frequencies_only(const Course& loss, std::span<const double> second_half) {
  const double start = loss.values.front();
  return start >= kLeastVocabulary && start <= kMostVocabulary &&
         level(second_half, 0, second_half.size()) >= kFrequenciesOnly && is_flat(second_half);
}

/// The loss never went down, or only by what is learned first.
std::optional<ModelTrouble> never_learned(const ModelLog& log, const Course& loss) {
  const std::span<const double> values = loss.values;
  if (values.size() < kMinFlatPoints || is_resumed(loss) || is_warming_up(log, loss))
    return std::nullopt;
  if (log.accuracy != nullptr && is_rising(course_of(*log.accuracy, log.accuracy->values).values))
    return std::nullopt;
  const std::size_t half = values.size() / 2;
  const bool flat = is_flat(values);
  if (!flat && !knows_frequencies_only(loss, values.subspan(half))) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::loss_not_decreasing, *log.train,
                                flat ? loss.steps.front() : loss.steps[half]);
  const std::vector<double> levels = stretches(values);
  out.before = flat ? levels.front() : values.front();
  out.after = levels.back();
  out.is_plateau = !flat;
  return out;
}

/// Validation gives the same in each evaluation: it does not see the model that is trained.
std::optional<ModelTrouble> constant(const ScalarSeries& series, const Course& evaluation) {
  if (evaluation.size() < kMinEvaluations) return std::nullopt;
  const auto [least, most] =
      std::minmax_element(evaluation.values.begin(), evaluation.values.end());
  if (*most - *least > kConstant * std::abs(*most)) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::constant_evaluation, series, evaluation.steps.front());
  out.before = evaluation.values.front();
  out.after = evaluation.values.back();
  return out;
}

/// Whether training's loss went on falling after a step.
bool falls_after(const Course& train, std::int64_t step) {
  const auto at = std::lower_bound(train.steps.begin(), train.steps.end(), step);
  const auto row = static_cast<std::size_t>(at - train.steps.begin());
  const std::span<const double> after = std::span{train.values}.subspan(row);
  if (after.size() < kMinLossPoints) return false;
  return trend_z(stretches(after)) < -kSureTrend;
}

/// Evaluation was best long ago: since then it rose, or at least did not get better.
std::optional<ModelTrouble> past_its_best(const ScalarSeries& series, const Course& evaluation,
                                          const Course& train) {
  const std::span<const double> values = evaluation.values;
  if (values.size() < kMinEvaluations) return std::nullopt;
  const auto best =
      static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
  const std::size_t after = values.size() - 1 - best;
  if (after < kMinEvaluationsAfter) return std::nullopt;
  const std::span<const double> since = values.subspan(best);
  const double end = level(values, values.size() - std::max<std::size_t>(2, after / 3),
                           std::max<std::size_t>(2, after / 3));
  const double rise = end - values[best];
  const bool rises =
      rise > std::max(kMinRise * std::abs(values[best]), kSureNoise * noise_of(since)) &&
      trend_z(stretches(since)) > kSureTrend;
  const bool overfits = rises && falls_after(train, evaluation.steps[best]);
  const bool long_ago = after >= kPatientEvaluations &&
                        static_cast<double>(after) >= kLongAgo * static_cast<double>(values.size());
  if (!overfits && !long_ago) return std::nullopt;
  ModelTrouble out = trouble_of(overfits ? FindingKind::overfitting : FindingKind::overtraining,
                                series, evaluation.steps[best]);
  out.before = values[best];
  out.after = end;
  return out;
}

/// The accuracy that got better since a step, although the loss did not.
std::optional<BetterScore> better_score(const ScalarSeries* accuracy, std::int64_t step) {
  if (accuracy == nullptr) return std::nullopt;
  const Course course = course_of(*accuracy, accuracy->values);
  const auto at = std::lower_bound(course.steps.begin(), course.steps.end(), step);
  if (at == course.steps.end()) return std::nullopt;
  const double before = course.values[static_cast<std::size_t>(at - course.steps.begin())];
  if (course.values.back() <= before) return std::nullopt;
  return BetterScore{accuracy->name, before, course.values.back()};
}

std::optional<ModelTrouble> trouble_in_evaluation(const ModelLog& log, const Course& train) {
  const Course evaluation = evaluations_of(*log.evaluation);
  auto found = constant(*log.evaluation, evaluation);
  if (!found) found = past_its_best(*log.evaluation, evaluation, train);
  if (!found) return std::nullopt;
  found->of_evaluation = true;
  found->points = static_cast<std::int64_t>(evaluation.size());
  if (found->kind != FindingKind::constant_evaluation)
    found->better = better_score(log.accuracy, found->step);
  return found;
}

std::optional<ModelTrouble> trouble_in(const ModelLog& log) {
  std::vector<double> losses;
  Course train;
  if (log.train != nullptr) {
    losses = aggregate::true_losses(*log.train, log.gradient);
    train = course_of(*log.train, losses);
  }
  std::optional<ModelTrouble> found = not_finite(log, losses);
  if (found || log.is_rewarded) return found;
  if (log.train != nullptr) found = exploded_but_for_last(*log.train, train);
  if (!found && log.train != nullptr) found = never_learned(log, train);
  if (!found && log.evaluation != nullptr) found = trouble_in_evaluation(log, train);
  return found;
}

/// Of kinds that are found here, the gravest first.
int gravity(const ModelTrouble& trouble) {
  switch (trouble.kind) {
  case FindingKind::diverged:
    return 4;
  case FindingKind::loss_not_decreasing:
    return 3;
  case FindingKind::overfitting:
    return 2;
  case FindingKind::overtraining:
    return 1;
  default:
    return 0;
  }
}

} // namespace

std::optional<ModelTrouble> find_model_trouble(std::span<const ScalarSeries> scalars,
                                               std::span<const ScalarSeries> repeated) {
  std::optional<ModelTrouble> gravest;
  for (const ModelLog& log : model_logs(scalars, repeated)) {
    auto found = trouble_in(log);
    if (!found || (gravest && gravity(*found) <= gravity(*gravest))) continue;
    if (found->wastes_steps()) found->time = time_of(found->step, log, scalars);
    found->scalar = shown_name(found->of_evaluation ? *log.evaluation : *log.train, scalars);
    gravest = std::move(found);
  }
  return gravest;
}

} // namespace debrief::findings

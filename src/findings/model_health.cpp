#include "findings/model_health.h"

#include "aggregate/curves.h"
#include "findings/learning.h"
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
std::optional<ModelTrouble> evaluation_not_finite(const Judged& judged) {
  if (!judged.is_loss()) return std::nullopt;
  const ScalarSeries& evaluation = *judged.series;
  const std::size_t from = broken_from(evaluation.values);
  if (from == 0 || from + 1 >= evaluation.size()) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::diverged, evaluation, evaluation.steps[from]);
  out.of_evaluation = true;
  out.not_finite = true;
  if (const auto before = last_finite_before(evaluation.values, from))
    out.before = as_loss(judged.measure, *before);
  return out;
}

/// `losses` are those of training.
std::optional<ModelTrouble> not_finite(const ModelLog& log, std::span<const double> losses) {
  const std::size_t from = broken_from(losses);
  if (from == losses.size()) return evaluation_not_finite(log.evaluation);
  ModelTrouble out =
      trouble_of(FindingKind::diverged, *log.train.series, log.train.series->steps[from]);
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

/// Whether values are on their way back to the best level that was before them.
bool comes_back(std::span<const double> values, double best) {
  const std::vector<double> levels = stretches(values);
  const double highest = *std::max_element(levels.begin(), levels.end());
  return trend_z(levels) < -kSureTrend && highest - levels.back() >= kRegained * (highest - best);
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
  const bool lost_most = *best < kLearned * start && least_of_end > kFarAbove * *best &&
                         least_of_end > *best + kLostMost * (start - *best);
  if ((!far_up && !lost_most) || least_of_end < *best + kSureNoise * noise_of(values))
    return std::nullopt;
  // The last stretch that was nearer to the best than to the end.
  const double middle = (*best + end) / 2;
  std::size_t from = levels.size();
  while (from > 0 && levels[from - 1] > middle)
    --from;
  const std::size_t row = std::min(values.size() * from / levels.size(), values.size() - 1);
  if (comes_back(values.subspan(row), *best)) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::diverged, series, loss.steps[row]);
  out.before = *best;
  out.after = end;
  return out;
}

/// The loss of training, with and without its last row: a script may add one after all others. A
/// model that ends at its best elsewhere has another objective now.
std::optional<ModelTrouble> training_exploded(const ModelLog& log, const Course& loss) {
  auto found = exploded(*log.train.series, loss);
  if (!found && loss.size() > kMinLossPoints)
    found = exploded(*log.train.series, loss.without_last());
  if (found && ends_better_than_before(log, found->step)) return std::nullopt;
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
  return !is_enough_to_be_flat(
      std::span{loss.values}.subspan(static_cast<std::size_t>(after - loss.steps.begin())));
}

/// A run that was resumed has learned before its log begins. One that logs every so many steps
/// begins with the first of these.
bool is_resumed(const Course& loss) {
  const std::int64_t first = loss.steps.front();
  return first > loss.steps[1] - first &&
         static_cast<double>(first) > kMaxFirstStep * static_cast<double>(loss.steps.back());
}

/// A language model guesses among all tokens at first; one that knows nothing but how frequent each
/// is stays at a loss of about 7, and never was below.
bool knows_frequencies_only(const Course& loss) {
  const double start = loss.values.front();
  const std::vector<double> levels = stretches(loss.values);
  return start >= kLeastVocabulary && start <= kMostVocabulary &&
         *std::min_element(levels.begin(), levels.end()) >= kFrequenciesOnly &&
         is_flat(std::span{loss.values}.subspan(loss.size() / 2));
}

/// The loss never went down, or only by what is learned first.
std::optional<ModelTrouble> never_learned(const ModelLog& log, const Course& loss) {
  const std::span<const double> values = loss.values;
  if (!is_enough_to_be_flat(values) || is_resumed(loss) || is_warming_up(log, loss))
    return std::nullopt;
  const bool flat = is_flat(values);
  if (!flat && (values.size() < kMinFlatPoints || !knows_frequencies_only(loss)))
    return std::nullopt;
  if (learned_elsewhere(log)) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::loss_not_decreasing, *log.train.series,
                                flat ? loss.steps.front() : loss.steps[values.size() / 2]);
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

/// Values from a step on.
std::span<const double> since_step(const Course& course, std::int64_t step) {
  const auto at = std::lower_bound(course.steps.begin(), course.steps.end(), step);
  return std::span{course.values}.subspan(static_cast<std::size_t>(at - course.steps.begin()));
}

/// Whether losses of training go on falling.
bool keeps_falling(std::span<const double> losses) {
  if (losses.size() >= kMinLossPoints) return is_falling(losses);
  return rises_each_time(std::vector<double>(losses.rbegin(), losses.rend()));
}

/// Evaluation was best long ago: since then it rose, or at least did not get better. Where training
/// rises, too, what is minimized has changed, and nothing can be said.
std::optional<ModelTrouble> past_its_best(const ModelLog& log, const Course& evaluation,
                                          const Course& train) {
  const std::span<const double> values = evaluation.values;
  if (values.empty()) return std::nullopt;
  const auto best =
      static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
  const std::size_t after = values.size() - 1 - best;
  if (after < kFewAfter) return std::nullopt;
  const std::span<const double> since = values.subspan(best);
  const std::span<const double> trained = since_step(train, evaluation.steps[best]);
  if (trained.size() >= kMinLossPoints && is_rising(trained)) return std::nullopt;
  const std::size_t last = std::max<std::size_t>(2, after / 3);
  const bool steady = rises_each_time(since);
  const double end = steady ? values.back() : level(values, values.size() - last, last);
  const bool rises = after >= kMinEvaluationsAfter &&
                     end - values[best] > std::max(kMinRise * std::abs(values[best]),
                                                   kSureNoise * noise_of(since)) &&
                     is_rising(since);
  const bool overfits = (rises || steady) && keeps_falling(trained);
  const bool long_ago = after >= kPatientEvaluations && log.evaluation.is_loss() &&
                        static_cast<double>(after) >= kLongAgo * static_cast<double>(values.size());
  if (!overfits && !long_ago) return std::nullopt;
  ModelTrouble out = trouble_of(overfits ? FindingKind::overfitting : FindingKind::overtraining,
                                *log.evaluation.series, evaluation.steps[best]);
  out.before = values[best];
  out.after = end;
  return out;
}

/// The accuracy that clearly got better since a step, although the loss did not, and than it had
/// ever been.
std::optional<BetterScore> better_score(const ScalarSeries* accuracy, std::int64_t step) {
  if (accuracy == nullptr) return std::nullopt;
  const Course course = course_of(*accuracy, accuracy->values);
  const std::span<const double> since = since_step(course, step);
  if (!rises_clearly(since)) return std::nullopt;
  const std::size_t from = course.size() - since.size();
  const auto begin = course.values.begin();
  if (from > 0 && *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(from)) >=
                      stretches(since).back())
    return std::nullopt;
  return BetterScore{accuracy->name, since.front(), since.back()};
}

std::optional<ModelTrouble> constant_evaluation(const ModelLog& log) {
  if (!log.evaluation.is_loss()) return std::nullopt;
  const Course evaluation = evaluations_of(log.evaluation);
  auto found = constant(*log.evaluation.series, evaluation);
  if (!found) return std::nullopt;
  found->of_evaluation = true;
  found->points = static_cast<std::int64_t>(evaluation.size());
  return found;
}

std::optional<ModelTrouble> turned_evaluation(const ModelLog& log, const Course& train) {
  if (!log.evaluation) return std::nullopt;
  const Course evaluation = evaluations_of(log.evaluation);
  auto found = past_its_best(log, evaluation, train);
  if (!found) return std::nullopt;
  found->of_evaluation = true;
  found->points = static_cast<std::int64_t>(evaluation.size());
  if (log.evaluation.is_loss()) found->better = better_score(log.accuracy(), found->step);
  return found;
}

std::optional<ModelTrouble> trouble_in(const ModelLog& log) {
  std::vector<double> losses; // of training
  Course train;
  if (log.train.is_loss()) {
    losses = aggregate::true_losses(*log.train.series, log.gradient);
    for (double& value : losses)
      value = as_loss(log.train.measure, value);
    train = course_of(*log.train.series, losses);
  } else if (log.train) {
    train = as_losses(log.train);
  }
  std::optional<ModelTrouble> found = not_finite(log, losses);
  if (found || log.is_rewarded) return found;
  if (log.train.is_loss()) found = training_exploded(log, train);
  if (found) return found;
  if (log.train.is_loss()) found = never_learned(log, train);
  auto same = constant_evaluation(log);
  if (found && same) found->beside.push_back(*same);
  if (!found) found = same;
  if (!found) found = turned_evaluation(log, train);
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

/// With what the log calls it, and with values as they were logged.
void name_trouble(ModelTrouble& found, const ModelLog& log, std::span<const ScalarSeries> scalars) {
  const Judged& judged = found.of_evaluation ? log.evaluation : log.train;
  found.scalar = shown_name(*judged.series, scalars);
  found.measure = judged.measure;
  found.training = log.train.measure;
  for (std::optional<double>* value : {&found.before, &found.after})
    if (*value) **value = as_logged(judged.measure, **value);
  for (ModelTrouble& other : found.beside)
    name_trouble(other, log, scalars);
}

} // namespace

std::optional<ModelTrouble> find_model_trouble(std::span<const ScalarSeries> scalars,
                                               std::span<const ScalarSeries> repeated) {
  std::optional<ModelTrouble> gravest;
  for (const ModelLog& log : model_logs(scalars, repeated)) {
    auto found = trouble_in(log);
    if (!found || (gravest && gravity(*found) <= gravity(*gravest))) continue;
    if (found->wastes_steps()) found->time = time_of(found->step, log, scalars);
    name_trouble(*found, log, scalars);
    gravest = std::move(found);
  }
  return gravest;
}

} // namespace debrief::findings

#include "findings/model_health.h"

#include "aggregate/curves.h"
#include "findings/thresholds.h"
#include "util/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace debrief::findings {

namespace {

using namespace thresholds;
using job::ScalarSeries;
using result::CurveSplit;
using result::CurveTopic;
using result::FindingKind;

/// The scalars that tell of the model.
struct ModelLog {
  const ScalarSeries* train = nullptr;
  const ScalarSeries* evaluation = nullptr;
  const ScalarSeries* gradient = nullptr;
};

void prefer_longer(const ScalarSeries*& best, const ScalarSeries& series) {
  if (best == nullptr || series.size() > best->size()) best = &series;
}

ModelLog model_log(std::span<const ScalarSeries> scalars) {
  ModelLog log;
  for (const ScalarSeries& series : scalars) {
    const auto [topic, split] = aggregate::meaning_of_scalar(series.name, series.run);
    // Lightning's evaluation by the batch: noise, of which the epoch's is the mean.
    if (split == CurveSplit::evaluation && series.name.ends_with("_step")) continue;
    if (topic == CurveTopic::loss)
      prefer_longer(split == CurveSplit::evaluation ? log.evaluation : log.train, series);
    if (topic == CurveTopic::gradient_norm) prefer_longer(log.gradient, series);
  }
  return log;
}

/// When a step was logged, by the series itself or by any that has times; between two logged steps
/// in proportion.
std::optional<Microseconds> time_of(std::int64_t step, std::span<const ScalarSeries> scalars) {
  for (const ScalarSeries& series : scalars) {
    if (!series.has_times() || series.steps.front() > step || series.steps.back() < step) continue;
    const auto after = std::lower_bound(series.steps.begin(), series.steps.end(), step);
    const auto row = static_cast<std::size_t>(after - series.steps.begin());
    if (*after == step || row == 0) return series.times[row];
    const double share = static_cast<double>(step - series.steps[row - 1]) /
                         static_cast<double>(series.steps[row] - series.steps[row - 1]);
    return series.times[row - 1] +
           static_cast<Microseconds>(
               share * static_cast<double>(series.times[row] - series.times[row - 1]));
  }
  return std::nullopt;
}

/// Where the values that are not finite up to the end begin; the size where the last one is finite.
std::size_t broken_from(std::span<const double> values) {
  std::size_t row = values.size();
  while (row > 0 && !std::isfinite(values[row - 1]))
    --row;
  return row;
}

double level(std::span<const double> values, std::size_t first, std::size_t count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return median(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count)));
}

/// Medians of equal stretches, at most kMaxStretches, so that a spike or a noisy batch moves none.
std::vector<double> stretches(std::span<const double> values) {
  const std::size_t count = std::min(values.size(), kMaxStretches);
  std::vector<double> out;
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t begin = values.size() * at / count;
    out.push_back(level(values, begin, values.size() * (at + 1) / count - begin));
  }
  return out;
}

/// How much values differ from their neighbors, as a standard deviation: a trend does not count.
double noise_of(std::span<const double> values) {
  constexpr double kDeviationOfMedian = 1.4826; // of a normal distribution
  std::vector<double> differences;
  for (std::size_t row = 1; row < values.size(); ++row)
    differences.push_back(std::abs(values[row] - values[row - 1]));
  return kDeviationOfMedian * median(std::move(differences)) / std::sqrt(2.0);
}

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

std::optional<ModelTrouble> not_finite(const ModelLog& log, std::span<const double> losses) {
  // Where nothing was logged of training, evaluation tells; one broken evaluation may be its own.
  const ScalarSeries* series = log.train != nullptr ? log.train : log.evaluation;
  const std::span<const double> values = log.train != nullptr ? losses : series->values;
  const std::size_t from = broken_from(values);
  if (from == values.size()) return std::nullopt;
  if (log.train == nullptr && (values.size() - from < 2 || from == 0)) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::diverged, *series, series->steps[from]);
  out.not_finite = true;
  out.before = last_finite_before(values, from);
  if (log.gradient != nullptr) {
    const std::size_t broken = broken_from(log.gradient->values);
    if (broken < log.gradient->size() && log.gradient->steps[broken] <= out.step) {
      out.gradient_step = log.gradient->steps[broken];
      out.step = *out.gradient_step;
    }
  }
  return out;
}

/// Steps and values of what is finite.
struct FiniteLoss {
  std::vector<std::int64_t> steps;
  std::vector<double> values;
};

FiniteLoss finite_of(const ScalarSeries& series, std::span<const double> values) {
  FiniteLoss out;
  for (std::size_t row = 0; row < values.size(); ++row)
    if (std::isfinite(values[row])) {
      out.steps.push_back(series.steps[row]);
      out.values.push_back(values[row]);
    }
  return out;
}

/// The loss rose far above where it began, and stays there.
std::optional<ModelTrouble> exploded(const ScalarSeries& series, const FiniteLoss& loss) {
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

/// The loss never went down.
std::optional<ModelTrouble> never_learned(const ScalarSeries& series, const FiniteLoss& loss) {
  const std::span<const double> values = loss.values;
  if (values.size() < kMinFlatPoints) return std::nullopt;
  // A run that was resumed has learned before its log begins.
  if (static_cast<double>(loss.steps.front()) >
      kMaxFirstStep * static_cast<double>(loss.steps.back()))
    return std::nullopt;
  const std::vector<double> levels = stretches(values);
  const double per_level =
      std::sqrt(static_cast<double>(values.size()) / static_cast<double>(levels.size()));
  const double needed =
      std::max(kMinDescent * std::abs(levels.front()), kSureNoise * noise_of(values) / per_level);
  const double best = *std::min_element(levels.begin(), levels.end());
  if (levels.front() - best > needed || trend_z(levels) < -kSureTrend) return std::nullopt;
  ModelTrouble out = trouble_of(FindingKind::loss_not_decreasing, series, loss.steps.front());
  out.before = levels.front();
  out.after = levels.back();
  return out;
}

/// Whether training's loss went on falling after a step.
bool falls_after(const FiniteLoss& train, std::int64_t step) {
  const auto at = std::lower_bound(train.steps.begin(), train.steps.end(), step);
  const auto row = static_cast<std::size_t>(at - train.steps.begin());
  const std::span<const double> after = std::span{train.values}.subspan(row);
  if (after.size() < kMinLossPoints) return false;
  return trend_z(stretches(after)) < -kSureTrend;
}

/// Evaluation was best long ago: since then it rose, or at least did not get better.
std::optional<ModelTrouble> past_its_best(const ScalarSeries& series, const FiniteLoss& evaluation,
                                          const FiniteLoss& train) {
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

} // namespace

double trend_z(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  if (values.size() < 3) return 0;
  double sum = 0;
  for (std::size_t later = 1; later < values.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier)
      sum += values[later] > values[earlier] ? 1 : values[later] < values[earlier] ? -1 : 0;
  const double deviation = std::sqrt(count * (count - 1) * (2 * count + 5) / 18);
  return sum > 0 ? (sum - 1) / deviation : sum < 0 ? (sum + 1) / deviation : 0;
}

std::optional<ModelTrouble> find_model_trouble(std::span<const ScalarSeries> scalars) {
  const ModelLog log = model_log(scalars);
  if (log.train == nullptr && log.evaluation == nullptr) return std::nullopt;
  std::vector<double> losses;
  FiniteLoss train;
  if (log.train != nullptr) {
    losses = aggregate::true_losses(*log.train, log.gradient);
    train = finite_of(*log.train, losses);
  }
  std::optional<ModelTrouble> found = not_finite(log, losses);
  if (!found && log.train != nullptr) found = exploded(*log.train, train);
  if (!found && log.evaluation != nullptr)
    found =
        past_its_best(*log.evaluation, finite_of(*log.evaluation, log.evaluation->values), train);
  if (!found && log.train != nullptr) found = never_learned(*log.train, train);
  if (found) found->time = time_of(found->step, scalars);
  return found;
}

} // namespace debrief::findings

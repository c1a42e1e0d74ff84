#include "findings/loss_levels.h"

#include "findings/thresholds.h"
#include "util/median.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace debrief::findings {

using namespace thresholds;

std::size_t broken_from(std::span<const double> values) {
  std::size_t from = values.size();
  std::size_t broken = 0;
  for (std::size_t row = values.size(); row-- > 0;) {
    if (std::isfinite(values[row])) continue;
    ++broken;
    if (static_cast<double>(broken) >= kMostlyBroken * static_cast<double>(values.size() - row))
      from = row;
  }
  return from;
}

double level(std::span<const double> values, std::size_t first, std::size_t count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return median(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count)));
}

std::vector<double> stretches(std::span<const double> values) {
  const std::size_t count = std::min(values.size(), kMaxStretches);
  std::vector<double> out;
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t begin = values.size() * at / count;
    out.push_back(level(values, begin, values.size() * (at + 1) / count - begin));
  }
  return out;
}

double noise_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  constexpr double kDeviationOfMedian = 1.4826; // of a normal distribution
  std::vector<double> differences;
  for (std::size_t row = 1; row < values.size(); ++row)
    differences.push_back(values[row] - values[row - 1]);
  const double trend = median(differences);
  for (double& difference : differences)
    difference = std::abs(difference - trend);
  return kDeviationOfMedian * median(std::move(differences)) / std::sqrt(2.0);
}

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

namespace {

/// The lowest level of two stretches in a row, or of the last one: a single one may be noise.
double lowest_kept(std::span<const double> levels) {
  double lowest = levels.back();
  for (std::size_t at = 0; at + 1 < levels.size(); ++at)
    lowest = std::min(lowest, std::max(levels[at], levels[at + 1]));
  return lowest;
}

/// Of the difference between the levels of both halves.
double error_of_halves(std::span<const double> values) {
  return 2 * noise_of(values) / std::sqrt(static_cast<double>(values.size()));
}

} // namespace

bool is_flat(std::span<const double> values) {
  if (values.size() < 2) return true;
  const std::vector<double> levels = stretches(values);
  const double noise = noise_of(values);
  const double first = values.front();
  const double usual = median(levels);
  if (usual < kLearned * first && first - usual > kSureNoise * noise) return false;
  const double start = std::abs(levels.front());
  const std::size_t half = values.size() / 2;
  const double between = level(values, 0, half) - level(values, half, values.size() - half);
  if (between > std::max(kMinDescent * start, kSureTrend * error_of_halves(values))) return false;
  const double per_level =
      std::sqrt(static_cast<double>(values.size()) / static_cast<double>(levels.size()));
  const double fall = levels.front() - lowest_kept(levels);
  if (fall > std::max(kMinDescent * start, kSureNoise * noise / per_level)) return false;
  return fall <= kNoDescent * start || trend_z(levels) >= -kSureTrend;
}

bool is_enough_to_be_flat(std::span<const double> values) {
  if (values.size() < kFewFlatPoints) return false;
  const double visible = values.size() < kMinFlatPoints ? kMinDescent : kVisibleDescent;
  return kSureNoise * error_of_halves(values) <=
         visible * std::abs(level(values, 0, values.size()));
}

bool rises_each_time(std::span<const double> values) {
  return values.size() > kFewAfter &&
         std::adjacent_find(values.begin(), values.end(), std::greater_equal<>{}) == values.end() &&
         values.back() - values.front() >= kSteadyRise * std::abs(values.front());
}

bool is_rising(std::span<const double> values) {
  return trend_z(stretches(values)) > kSureTrend;
}

bool is_falling(std::span<const double> values) {
  return trend_z(stretches(values)) < -kSureTrend;
}

} // namespace debrief::findings

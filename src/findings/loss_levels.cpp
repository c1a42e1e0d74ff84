#include "findings/loss_levels.h"

#include "findings/thresholds.h"
#include "util/median.h"

#include <algorithm>
#include <cmath>
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

bool is_flat(std::span<const double> values) {
  const std::vector<double> levels = stretches(values);
  const double per_level =
      std::sqrt(static_cast<double>(values.size()) / static_cast<double>(levels.size()));
  const double needed =
      std::max(kMinDescent * std::abs(levels.front()), kSureNoise * noise_of(values) / per_level);
  const double best = *std::min_element(levels.begin(), levels.end());
  return levels.front() - best <= needed && trend_z(levels) >= -kSureTrend;
}

bool is_rising(std::span<const double> values) {
  return trend_z(stretches(values)) > kSureTrend;
}

} // namespace debrief::findings

// Welch's t-test: whether two samples have the same mean, where neither their sizes nor their
// variances need be alike.
#include "compare/change.h"

#include <cmath>
#include <numeric>

namespace debrief::compare {

namespace {

/// The continued fraction of the incomplete beta function, by Lentz's method as modified by
/// Thompson and Barnett; for x < (a + 1) / (a + b + 2) it converges within a few dozen terms.
double beta_fraction(double a, double b, double x) {
  constexpr int kMostTerms = 500;
  constexpr double kPrecision = 1e-15;
  constexpr double kTiny = 1e-300; // stands in for a zero in a denominator
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int term = 1; term <= kMostTerms; ++term) {
    const double m = term;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kPrecision) break;
  }
  return fraction;
}

/// The regularised incomplete beta function I_x(a, b), 0 <= x <= 1.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

struct Sample {
  double mean = 0;
  double mean_variance = 0; ///< of the mean: the sample's variance over its size
  double freedom = 0;       ///< size - 1
};

Sample sample_of(const std::vector<double>& values) {
  const auto size = static_cast<double>(values.size());
  Sample out;
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
  for (const double value : values)
    out.mean_variance += (value - out.mean) * (value - out.mean);
  out.mean_variance /= (size - 1) * size;
  out.freedom = size - 1;
  return out;
}

/// Equal values can differ from their computed mean in the last digit.
bool varies(const std::vector<double>& values) {
  for (const double value : values)
    if (value != values.front()) return true;
  return false;
}

} // namespace

std::optional<double> welch_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 2 || b.size() < 2 || (!varies(a) && !varies(b))) return std::nullopt;
  const Sample first = sample_of(a);
  const Sample second = sample_of(b);
  const double variance = first.mean_variance + second.mean_variance;
  const double freedom = variance * variance /
                         (first.mean_variance * first.mean_variance / first.freedom +
                          second.mean_variance * second.mean_variance / second.freedom);
  const double t_squared = (first.mean - second.mean) * (first.mean - second.mean) / variance;
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t_squared));
}

} // namespace debrief::compare

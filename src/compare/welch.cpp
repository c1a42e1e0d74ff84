// Welch's t-test: whether two samples have the same mean, where neither their sizes nor their
// variances need be alike.
#include "compare/welch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::compare {

namespace {

/// The continued fraction of the incomplete beta function, by Lentz's method as modified by
/// Thompson and Barnett; for x < (a + 1) / (a + b + 2) it converges within a few dozen terms.
double beta_fraction(double a, double b, double x) {
  constexpr int kMaxTerms = 500;
  constexpr double kPrecision = 1e-15;
  constexpr double kTiny = 1e-300; // stands in for a zero in a denominator
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int term = 1; term <= kMaxTerms; ++term) {
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

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// As many independent values would say as much about the mean.
double effective_size(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  double products = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    squares += (values[at] - mean) * (values[at] - mean);
    if (at > 0) products += (values[at] - mean) * (values[at - 1] - mean);
  }
  const double correlation = squares > 0 ? std::max(0.0, products / squares) : 0;
  return std::max(2.0, static_cast<double>(values.size()) * (1 - correlation) / (1 + correlation));
}

/// `counts_for`: how many independent values it stands for.
Sample sample_of(const std::vector<double>& values, double counts_for) {
  Sample out;
  out.mean = mean_of(values);
  for (const double value : values)
    out.mean_variance += (value - out.mean) * (value - out.mean);
  out.mean_variance /= (static_cast<double>(values.size()) - 1) * counts_for;
  out.freedom = counts_for - 1;
  return out;
}

/// Equal values can differ from their computed mean in the last digit.
bool varies(const std::vector<double>& values) {
  for (const double value : values)
    if (value != values.front()) return true;
  return false;
}

bool can_be_tested(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() >= 2 && b.size() >= 2 && (varies(a) || varies(b));
}

double p_value_of(const Sample& first, const Sample& second) {
  const double variance = first.mean_variance + second.mean_variance;
  const double freedom = variance * variance /
                         (first.mean_variance * first.mean_variance / first.freedom +
                          second.mean_variance * second.mean_variance / second.freedom);
  const double t_squared = (first.mean - second.mean) * (first.mean - second.mean) / variance;
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t_squared));
}

} // namespace

std::optional<double> welch_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  if (!can_be_tested(a, b)) return std::nullopt;
  return p_value_of(sample_of(a, static_cast<double>(a.size())),
                    sample_of(b, static_cast<double>(b.size())));
}

std::optional<double> drift_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  if (!can_be_tested(a, b)) return std::nullopt;
  return p_value_of(sample_of(a, effective_size(a)), sample_of(b, effective_size(b)));
}

} // namespace debrief::compare

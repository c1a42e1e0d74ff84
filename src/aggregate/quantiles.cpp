#include "aggregate/quantiles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::aggregate {

namespace {

/// As numpy does it, so that figures agree to the last bit: from the nearer end.
double interpolate(double low, double high, double share) {
  const double width = high - low;
  return share < 0.5 ? low + width * share : high - width * (1 - share);
}

} // namespace

std::vector<double> quantiles(std::span<double> values, std::span<const double> shares) {
  std::vector<double> out;
  out.reserve(shares.size());
  auto sorted_until = values.begin(); // everything before is smaller than everything after
  for (const double share : shares) {
    const double position = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(position));
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(sorted_until, low, values.end());
    const double fraction = position - std::floor(position);
    const double high = fraction > 0 ? *std::min_element(low + 1, values.end()) : *low;
    out.push_back(interpolate(*low, high, fraction));
    sorted_until = low;
  }
  return out;
}

FiveNumbers five_numbers(std::vector<double> values) {
  constexpr std::array kShares = {0.0, 0.5, 0.95, 0.99, 1.0};
  const std::vector<double> found = quantiles(values, kShares);
  return {.max = found[4], .p99 = found[3], .p95 = found[2], .p50 = found[1], .min = found[0]};
}

} // namespace debrief::aggregate

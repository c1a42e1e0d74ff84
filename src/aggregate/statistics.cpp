#include "aggregate/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

double Box::lower() const {
  return std::max(p25 - 1.5 * (p75 - p25), min);
}

double Box::upper() const {
  return std::min(p75 + 1.5 * (p75 - p25), max);
}

Box box_of(std::span<const double> values) {
  constexpr std::array kShares = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};
  std::vector<double> copy(values.begin(), values.end());
  const auto found = quantiles(copy, kShares);
  return {.min = found[0],
          .p05 = found[1],
          .p25 = found[2],
          .p50 = found[3],
          .p75 = found[4],
          .p95 = found[5],
          .max = found[6]};
}

namespace {

std::vector<double> even_edges(double low, double high, std::size_t bins) {
  std::vector<double> edges(bins + 1);
  const double width = (high - low) / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i)
    edges[i] = static_cast<double>(i) * width + low;
  edges[bins] = high;
  return edges;
}

} // namespace

result::Histogram histogram(std::span<const double> values, std::size_t bins) {
  if (values.empty()) return {};
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  double low = *smallest;
  double high = *largest;
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  result::Histogram out{even_edges(low, high, bins), std::vector<std::int64_t>(bins)};
  const double scale = static_cast<double>(bins) / (high - low);
  for (const double value : values) {
    const double place = std::floor((value - low) * scale);
    auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)));
    // The scaled place can be off by a rounding error; the edges decide.
    if (value < out.edges[bin] && bin > 0) --bin;
    if (bin + 1 < bins && value >= out.edges[bin + 1]) ++bin;
    ++out.counts[bin];
  }
  return out;
}

result::Histogram percent_histogram(std::span<const double> values) {
  constexpr std::size_t kBins = 50;
  result::Histogram out{even_edges(0, 100, kBins), std::vector<std::int64_t>(kBins)};
  for (const double value : values)
    ++out.counts[static_cast<std::size_t>(std::clamp(std::floor(value / 2), 0.0, kBins - 1.0))];
  return out;
}

} // namespace debrief::aggregate

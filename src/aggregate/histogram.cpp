#include "aggregate/histogram.h"

#include <algorithm>
#include <cmath>

namespace debrief::aggregate {

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

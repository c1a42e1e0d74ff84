#include "chart/bins.h"

#include <algorithm>
#include <cmath>

namespace debrief::chart {

bool are_drawable(std::span<const double> edges, std::span<const double> counts) {
  if (counts.empty() || edges.size() != counts.size() + 1) return false;
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto not_rising = [](double a, double b) { return !(a < b); };
  const auto counted = [](double value) { return std::isfinite(value) && value >= 0; };
  return std::all_of(edges.begin(), edges.end(), finite) &&
         std::adjacent_find(edges.begin(), edges.end(), not_rising) == edges.end() &&
         std::all_of(counts.begin(), counts.end(), counted) &&
         *std::max_element(counts.begin(), counts.end()) > 0;
}

std::vector<double> even_edges(double low, double high, std::size_t count) {
  std::vector<double> edges(count + 1);
  for (std::size_t at = 0; at < count; ++at)
    edges[at] = low + (high - low) * static_cast<double>(at) / static_cast<double>(count);
  edges[count] = high;
  return edges;
}

std::vector<double> rebin(std::span<const double> edges, const Bins& bins) {
  std::vector<double> out(edges.size() - 1);
  std::size_t into = 0;
  for (std::size_t from = 0; from < bins.counts.size(); ++from) {
    const double low = bins.edges[from];
    const double high = bins.edges[from + 1];
    while (into > 0 && edges[into] > low)
      --into;
    while (into + 1 < out.size() && edges[into + 1] <= low)
      ++into;
    for (std::size_t at = into; at < out.size() && edges[at] < high; ++at) {
      const double shared = std::min(high, edges[at + 1]) - std::max(low, edges[at]);
      if (shared > 0) out[at] += bins.counts[from] * shared / (high - low);
    }
  }
  return out;
}

} // namespace debrief::chart

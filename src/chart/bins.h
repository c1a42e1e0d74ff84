// Counts in bins, and their way into other bins.
#pragma once

#include <span>
#include <vector>

namespace debrief::chart {

/// Counts between edges: bin i lies between edges[i] and edges[i + 1].
struct Bins {
  std::vector<double> edges;
  std::vector<double> counts;
};

/// At least one bin, edges that rise and are finite, counts that are finite and not below 0, one of
/// them above.
bool are_drawable(std::span<const double> edges, std::span<const double> counts);

/// `count` bins of one width.
std::vector<double> even_edges(double low, double high, std::size_t count);

/// The counts in other bins, taken as even within their own: what lies over an edge is divided.
std::vector<double> rebin(std::span<const double> edges, const Bins& bins);

} // namespace debrief::chart

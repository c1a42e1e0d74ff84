// How often values lie where: one series as bars, several as outlines over one another. Counts of
// series with different edges are laid into common bins first.
#pragma once

#include "chart/svg.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::chart {

/// Counts between edges; its index is its key in the legend.
struct HistogramSeries {
  std::string name;
  Color color;
  std::vector<double> edges;       ///< rising, one more than counts
  std::vector<double> counts;      ///< finite, not below 0
  std::optional<double> threshold; ///< marked by a line
};

enum class HistogramUnit { percent, seconds, plain };

struct HistogramChart {
  std::string label;
  HistogramUnit unit = HistogramUnit::percent;
  std::string noun;            ///< of what is counted, "step"
  std::string threshold_words; ///< "outlying above 92 ms": beside the line of a single series
  std::vector<HistogramSeries> series;
};

/// A series that can be drawn: as many edges as it takes, all in order, all finite, and a count
/// above 0.
bool is_drawable(const HistogramSeries& series);

/// Where most values lie: "79.1 ms to 79.4 ms", "96 % to 98 %". The series must be drawable.
std::string peak_words(const HistogramSeries& series, HistogramUnit unit);

/// Between which values the middle half of all lies, as far as its bins tell: "79.1 ms to 79.4 ms".
std::string half_words(const HistogramSeries& series, HistogramUnit unit);

/// Series that are not drawable are left out.
std::string draw(const HistogramChart& chart);

// Counts in bins, and their way into other bins.

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

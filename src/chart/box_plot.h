// How values of many things are spread, each as a box in a row of its own: the middle half, the
// median, whiskers, the mean. In percent.
#pragma once

#include "chart/svg.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

struct BoxRow {
  std::string name;
  std::optional<double> lower; ///< whisker
  std::optional<double> p25;
  std::optional<double> p50;
  std::optional<double> p75;
  std::optional<double> upper; ///< whisker
  std::optional<double> mean;
};

/// Rows of one kind, with a color of their own. A group's index is its key in the legend.
struct BoxGroup {
  std::string name;
  Color color;
  std::vector<BoxRow> rows;
};

struct BoxChart {
  std::string label;
  std::vector<BoxGroup> groups;
};

std::string draw(const BoxChart& chart);

} // namespace debrief::chart

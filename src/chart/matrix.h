// How much each of several things differs from each other: the lower half of a matrix, as cells of
// heat. Columns have the numbers of their rows.
#pragma once

#include "chart/svg.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

struct MatrixChart {
  std::string label;
  std::vector<std::string> names;
  /// values[row][column] for column < row; absent: not known.
  std::vector<std::vector<std::optional<double>>> values;
  double greatest = 1; ///< end of the scale, which begins at 0
};

std::string draw(const MatrixChart& chart);

} // namespace debrief::chart

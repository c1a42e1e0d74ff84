// A receiver operating characteristic: shares of true positives against shares of false ones.
#pragma once

#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

/// A point on the curve with a name; its key in the legend is its index plus 1, the curve's is 0.
struct RocMark {
  Point at; ///< both from 0 to 1
  std::string words;
  Color color;
};

struct RocChart {
  std::string label;
  std::vector<Point> points; ///< from (0, 0) to (1, 1)
  std::vector<RocMark> marks;
  std::string words; ///< "AUC 0.984"
};

std::string draw(const RocChart& chart);

} // namespace debrief::chart

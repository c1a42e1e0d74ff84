// Parts of a whole as one horizontal bar; of several wholes as one bar each, below one another.
#pragma once

#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

/// What a part is; bars share their kinds. A kind's index is its key in the legend.
struct ShareKind {
  std::string name;
  Color color;
};

struct SharePart {
  std::size_t kind = 0;
  double value = 0;  ///< in any unit; what is not above 0 has no width
  std::string words; ///< what its tip says beside the share: "2 min 5 s"; may be empty
};

struct ShareBar {
  std::string name; ///< whose whole; empty where there is one
  std::vector<SharePart> parts;
};

struct ShareChart {
  std::string label;
  std::vector<ShareKind> kinds;
  std::vector<ShareBar> bars;
};

std::string draw(const ShareChart& chart);

} // namespace debrief::chart

// Parts of something along an axis, one upon the other: the time of each step by part, memory over
// time by category. The values of a column hold from its edge to the next one's.
#pragma once

#include "chart/axis.h"
#include "chart/bars.h"
#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

struct Stacked {
  std::string label;
  std::vector<ShareKind> kinds;            ///< lowest first; its index is its key in the legend
  std::vector<double> edges;               ///< rising; one more than there are columns
  std::vector<std::vector<double>> values; ///< by kind, then column; what is below 0 counts as 0
  /// Of each column; without them a part's name is its tip. Of many columns none is shown.
  std::vector<std::string> tips;
  std::vector<Tick> x_ticks;
  bool bytes = false; ///< what the values are; else seconds
};

/// Columns that can be told apart in a drawing.
inline constexpr std::size_t kMaxStackedColumns = 120;

inline constexpr std::size_t kMaxStackedTips = 60;

/// Columns with tips have gaps between them where there is room.
std::string draw(const Stacked& chart);

} // namespace debrief::chart

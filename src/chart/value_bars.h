// One share of a common whole for each of several things, as a bar each, the value in words behind
// it.
#pragma once

#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

struct ValueBar {
  std::string name;
  double percent = 0;
  std::string words;    ///< behind the bar: "40.1 %, 12 calls"
  std::size_t kind = 0; ///< its color, and its key in the legend
};

struct ValueBars {
  std::string label;
  std::vector<ValueBar> rows;
};

/// The scale ends where the longest bar does, so that small shares can be compared.
std::string draw(const ValueBars& chart);

} // namespace debrief::chart

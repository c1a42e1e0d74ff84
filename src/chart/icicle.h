// What lies inside of what, as bars that hang from each other: the widest first, each as wide as
// its share of the whole, and below it what is inside of it.
#pragma once

#include "chart/bars.h"

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::chart {

struct IcicleBar {
  std::string name;
  std::int32_t parent = -1; ///< in the list, before this one; -1: outermost
  double value = 0;         ///< with all that is inside of it
  std::size_t kind = 0;     ///< its color
  std::string tip;
};

struct Icicle {
  std::string label;
  std::vector<ShareKind> kinds; ///< its index is its key in the legend
  std::vector<IcicleBar> bars;
  double whole = 0; ///< what the full width stands for
};

/// A whole of 0 draws nothing.
std::string draw(const Icicle& chart);

} // namespace debrief::chart

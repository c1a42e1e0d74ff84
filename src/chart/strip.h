// Drawings that fill whatever width they have: shapes stretch, words keep their size. For the first
// screen, which has to fit a phone as well as a wide window.
#pragma once

#include "chart/axis.h"
#include "chart/svg.h"

#include <cstddef>
#include <string>
#include <vector>

namespace debrief::chart {

/// A part of a bar.
struct StripPart {
  std::string name;
  double share = 0; ///< of the whole, 0 to 1
  Color color;
  std::string words; ///< in the bar, where it has room: "waiting on data 78%"
};

/// Parts side by side; they sum to at most 1.
std::string strip_bar(const std::string& label, const std::vector<StripPart>& parts, double height);

/// A kind of time in each of several equal bins, as shares of the bin.
struct RibbonPart {
  std::string name;
  Color color;
  std::vector<double> shares;
};

/// Bins side by side, each with its parts stacked in their order, the first at the bottom. The
/// first is at least a pixel high where there is any of it.
std::string ribbon(const std::string& label, const std::vector<RibbonPart>& parts, double height);

/// Values over time as an area, with a band behind it where `low` and `high` are not empty.
struct StripArea {
  std::string label;
  Color color;
  double most = 100;          ///< values go from 0 to here
  std::vector<double> values; ///< of equal columns; NaN: no sample
  std::vector<double> low;
  std::vector<double> high;
};

std::string strip_area(const StripArea& area, double height);

/// Ticks below such drawings, `value` from 0 to 1.
std::string strip_axis(const std::vector<Tick>& ticks);

} // namespace debrief::chart

// Values over the steps of a training run, a line for each scalar: losses, learning rates. What is
// NaN or infinite is a gap, with a mark where it begins.
#pragma once

#include "chart/svg.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

struct CurveLine {
  std::string name;
  std::vector<double> steps;                 ///< rising
  std::vector<std::optional<double>> values; ///< of each step; absent: NaN or infinite
};

struct CurveChart {
  std::string label;
  std::vector<CurveLine> lines; ///< its index is a line's key in the legend
  bool logarithmic = false;     ///< asks for values above 0 only; others are gaps
  std::string axis = "step";    ///< what a step is called
};

/// The lowest and the highest value; nothing where there is none.
struct CurveRange {
  double low = 0;
  double high = 0;
};

std::optional<CurveRange> range_of(const std::vector<CurveLine>& lines);

/// Whether the values are all above 0, and the highest is more than a thousand times the lowest: on
/// a plain axis most of them would lie on one line.
bool spans_decades(const std::vector<CurveLine>& lines);

std::string draw(const CurveChart& chart);

} // namespace debrief::chart

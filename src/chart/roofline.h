// A roofline: how much is computed in a second against how much is computed for each byte, both on
// scales of powers of ten, below the lines of what a GPU can do.
#pragma once

#include "chart/svg.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

struct RooflinePoint {
  double intensity = 0; ///< FLOPs per byte
  double tflops = 0;    ///< per second
  double share = 0;     ///< of the time, 0 to 1: its area
  std::size_t kind = 0; ///< in RooflineChart::kinds
  std::string tip;
};

/// The most that a GPU computes in a second in one precision.
struct RooflinePeak {
  std::string name; ///< "bf16"
  double tflops = 0;
};

struct RooflineChart {
  std::string label;
  std::vector<Color> kinds; ///< points of kind 0 are in `<g data-key="0">`, and so on
  std::vector<RooflinePoint> points;
  std::vector<RooflinePeak> peaks;
  std::optional<double> tb_per_second; ///< of the memory; absent: there are no lines
};

/// Points whose numbers are not above 0 are left out, since such scales have no place for them.
std::string draw(const RooflineChart& chart);

} // namespace debrief::chart

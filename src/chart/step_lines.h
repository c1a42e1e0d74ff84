// Values that stay until they change, over the time since a beginning: memory that an allocator
// holds. The first line is filled down to 0.
#pragma once

#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

struct StepLine {
  std::string name;
  std::vector<double> values; ///< of each moment; bytes
};

struct StepLines {
  std::string label;
  std::vector<double> seconds; ///< since the beginning; rising
  std::vector<StepLine> lines; ///< its index is a line's key in the legend
};

std::string draw(const StepLines& chart);

} // namespace debrief::chart

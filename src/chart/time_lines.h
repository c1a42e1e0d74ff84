// Lines over time in one panel: each is named at its end, and may have a band from the least to the
// greatest of what it is the mean of.
#pragma once

#include "chart/reduce.h"
#include "chart/svg.h"
#include "chart/time_panel.h"

#include <string>
#include <vector>

namespace debrief::chart {

struct TimeLine {
  std::string name; ///< at the line's end; may be empty
  std::vector<Column> columns;
  bool band = false;
};

inline constexpr std::size_t kMaxLines = 8;

/// The look of line `index`; after kSeries colors repeat, and lines are dashed.
Color line_color(std::size_t index);

/// Line 0 is in `<g data-key="0">`, and so on.
std::string time_lines(const TimePanel& panel, const ValueAxis& axis,
                       const std::vector<TimeLine>& lines);

// Values that stay until they change, over the time since a beginning: memory that an allocator
// holds. The first line is filled down to 0.

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

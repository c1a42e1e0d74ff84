// Lines over time in one panel: each is named at its end, and may have a band from the least to the
// greatest of what it is the mean of.
#pragma once

#include "chart/reduce.h"
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

} // namespace debrief::chart

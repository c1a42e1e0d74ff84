// What a metric's panel draws: lines, and the words that say what they are.
#pragma once

#include "chart/time_lines.h"
#include "result/timeline.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

struct MetricLines {
  std::vector<chart::TimeLine> lines;
  std::string words; ///< "mean of 4 devices, band from the least to the greatest"
  std::string unit;
};

/// As the timeline shows a metric; no lines where no node has it.
MetricLines metric_lines(const result::Timeline& timeline, std::string_view metric);

/// A line for each device of each node; no lines where there are more than kMaxLines.
MetricLines device_lines(const result::Timeline& timeline, std::string_view metric);

/// An axis for lines of this unit.
chart::ValueAxis value_axis(const MetricLines& lines);

} // namespace debrief::render

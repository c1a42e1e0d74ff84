// Durations by their start: a mark each while there are few, and bars from the shortest to the
// longest of some pixels where there are many. Outlying ones are drawn one by one, as triangles.
#pragma once

#include "chart/time_panel.h"

#include <string>
#include <vector>

namespace debrief::chart {

struct Dot {
  Microseconds start = 0;
  Microseconds duration = 0;
};

/// One that must be seen, whatever is around it.
struct NotedDot {
  Dot dot;
  std::string tip;
};

struct DotSeries {
  std::string name; ///< at the right of the plot
  std::vector<Dot> usual;
  std::vector<NotedDot> outlying;
};

/// Marks of a series; beyond, bars.
inline constexpr std::size_t kMaxDots = 400;

/// The greatest duration of the axis in seconds: a little above the longest, but no more than four
/// times what 95 % of a series stay below, so that a few extremes do not flatten all others.
double dots_ceiling(const std::vector<DotSeries>& all);

/// Series 0 is in `<g data-key="0">`, and so on. What is longer than the axis lies on its upper
/// edge, as a triangle.
std::string time_dots(const TimePanel& panel, const ValueAxis& axis,
                      const std::vector<DotSeries>& all);

} // namespace debrief::chart

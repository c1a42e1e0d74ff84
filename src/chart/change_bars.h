// By what factor each of several figures changed: a bar to the right of the middle for one that
// rose, to the left for one that fell, on a scale of factors, so that twice and half are as far.
#pragma once

#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

/// Its index is its key in the legend.
enum class ChangeKind { worse, improved, other };

struct ChangeBar {
  std::string name;
  double before = 0; ///< not below 0
  double after = 0;  ///< not below 0
  std::string words; ///< "61 ms to 1.9 s"
  ChangeKind kind = ChangeKind::other;
};

struct ChangeBars {
  std::string label;
  std::vector<ChangeBar> rows;
};

Color color_of(ChangeKind kind);

/// Changes of more than a factor of 100, and those from or to 0, end at the scale's end.
std::string draw(const ChangeBars& chart);

} // namespace debrief::chart

// Two shares of each of several things, side by side: what was the case in some time against the
// rest of it. In percent; more than 100 is possible.
#pragma once

#include "chart/svg.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

struct PairedRow {
  std::string name;
  double first = 0;
  std::optional<double> second; ///< absent: there is nothing to compare with
};

struct PairedGroup {
  std::string name;
  std::vector<PairedRow> rows;
};

struct PairedChart {
  std::string label;
  std::string first;  ///< what the first bar of a pair is; its key in the legend is "0"
  std::string second; ///< its key is "1"
  std::vector<PairedGroup> groups;
};

inline constexpr Color kFirstOfPair{"c-s1", "#b85c00"};
inline constexpr Color kSecondOfPair = kRest;

std::string draw(const PairedChart& chart);

} // namespace debrief::chart

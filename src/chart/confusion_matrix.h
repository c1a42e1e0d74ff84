// How often each label was predicted to be what: a square of counts, as dark as the share of its
// row. What is right lies on the diagonal.
#pragma once

#include "chart/svg.h"

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::chart {

struct ConfusionMatrix {
  std::string label;
  std::vector<std::string> classes;
  std::vector<std::vector<std::int64_t>> counts; ///< counts[label][predicted]
};

/// Keys of the legend: "0" and "1".
inline constexpr Color kRightCell{"c-s0", "#0b5cad"};
inline constexpr Color kWrongCell{"c-s1", "#c2570c"};

std::string draw(const ConfusionMatrix& chart);

} // namespace debrief::chart

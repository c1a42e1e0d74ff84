// A value of each of several things at each of several turns, as cells of heat: how long every rank
// took for every step.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

struct HeatGrid {
  std::string label;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  /// values[row][column]; absent: not known, left blank.
  std::vector<std::vector<std::optional<double>>> values;
  /// A value as tips and the scale's ends have it: "18.2 ms".
  std::function<std::string(double)> words;
  /// Colors go by orders of magnitude; what is not above 0 has the lowest.
  bool logarithmic = false;
};

/// More are not told apart: a page has so many cells of a drawing at most.
inline constexpr std::size_t kMaxGridRows = 64;
inline constexpr std::size_t kMaxGridColumns = 64;

/// The scale goes from the least value (above 0 where it is logarithmic), or 0 where that is less
/// than half of the greatest, to the greatest, so that small differences of what is nearly alike
/// are seen.
std::string draw(const HeatGrid& grid);

} // namespace debrief::chart

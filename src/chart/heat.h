// Cells of heat: how busy many devices were over time, and how much things differ from each other.
#pragma once

#include "chart/reduce.h"
#include "chart/svg.h"
#include "chart/time_panel.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

/// How busy a device was, time across, from dark (0) to bright (100 %).
struct HeatRow {
  std::string name;
  std::vector<float> percents; ///< of each column; NaN: no sample, left blank
  bool apart = false;          ///< begins another kind of device: some space before it
};

inline constexpr std::size_t kMaxHeatRows = 96;

/// Into how many columns of time so many rows may be cut: what every cell differs in stays small
/// enough for the page.
std::size_t heat_columns(std::size_t rows);

/// Rows are at most kMaxHeatRows, all with the same number of columns.
std::string heat_rows(const TimePanel& panel, const std::vector<HeatRow>& rows);

// How much each of several things differs from each other: the lower half of a matrix, as cells of
// heat. Columns have the numbers of their rows.

struct MatrixChart {
  std::string label;
  std::vector<std::string> names;
  /// values[row][column] for column < row; absent: not known.
  std::vector<std::vector<std::optional<double>>> values;
  double greatest = 1; ///< end of the scale, which begins at 0
};

std::string draw(const MatrixChart& chart);

} // namespace debrief::chart

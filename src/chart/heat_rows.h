// How busy many devices were over time: a row each, time across, from dark (0) to bright (100 %).
#pragma once

#include "chart/reduce.h"
#include "chart/time_panel.h"

#include <string>
#include <vector>

namespace debrief::chart {

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

} // namespace debrief::chart

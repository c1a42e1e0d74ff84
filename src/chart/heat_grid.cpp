#include "chart/heat_grid.h"

#include "chart/svg.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kGridRight = 92; ///< room for the scale
constexpr double kGridTop = 4;
constexpr double kGridBelow = 20;          ///< room for names of columns
constexpr double kGridWidest = 64;         ///< of a cell
constexpr std::size_t kGridNameBytes = 40; ///< in tips: each name is in many

struct GridScale {
  double low = 0;
  double high = 0;
  bool logarithmic = false;

  double share(double value) const {
    if (high <= low) return 1;
    if (!logarithmic) return (value - low) / (high - low);
    return value > low ? std::log(value / low) / std::log(high / low) : 0;
  }
};

GridScale scale_of(const HeatGrid& grid) {
  std::optional<GridScale> scale;
  for (const auto& row : grid.values)
    for (const std::optional<double>& value : row) {
      if (!value || (grid.logarithmic && *value <= 0)) continue;
      if (!scale) scale = GridScale{*value, *value, grid.logarithmic};
      scale->low = std::min(scale->low, *value);
      scale->high = std::max(scale->high, *value);
    }
  if (!scale) return {};
  if (!grid.logarithmic && scale->low < scale->high / 2) scale->low = 0;
  return *scale;
}

void draw_grid_scale(Svg& svg, const HeatGrid& grid, const GridScale& scale, double height) {
  const double x = chart_width() - kGridRight + 12;
  const double part = height / static_cast<double>(kHeats);
  for (std::size_t at = 0; at < kHeats; ++at)
    svg.rect({x, kGridTop + height - part * static_cast<double>(at + 1), 10, part},
             heat((static_cast<double>(at) + 0.5) / static_cast<double>(kHeats)));
  svg.text({x + 14, kGridTop + 9}, grid.words(scale.high));
  if (scale.high > scale.low) svg.text({x + 14, kGridTop + height}, grid.words(scale.low));
}

} // namespace

std::string draw(const HeatGrid& grid) {
  const double left = by_width(150, 80); // room for names of rows
  const std::size_t rows = std::min(grid.rows.size(), kMaxGridRows);
  const std::size_t columns = std::min(grid.columns.size(), kMaxGridColumns);
  const double width = std::min((chart_width() - left - kGridRight) /
                                    static_cast<double>(std::max<std::size_t>(columns, 1)),
                                kGridWidest);
  const double height = rows <= 16 ? 20 : rows <= 32 ? 14 : 10;
  const double bottom = kGridTop + std::max(height * static_cast<double>(rows), 40.0);
  const GridScale scale = scale_of(grid);
  Svg svg(chart_width(), bottom + kGridBelow, grid.label);
  for (std::size_t row = 0; row < rows; ++row) {
    const double y = kGridTop + height * static_cast<double>(row);
    svg.text({left - 8, y + height / 2 + 4}, fitted(grid.rows[row], left - 12), Anchor::end);
    for (std::size_t column = 0; column < columns; ++column)
      if (const std::optional<double>& value = grid.values[row][column])
        svg.rect({left + width * static_cast<double>(column), y, width - 1, height - 1},
                 heat(scale.share(*value)),
                 fmt::format("{}, {}: {}", shortened(grid.rows[row], kGridNameBytes),
                             grid.columns[column], grid.words(*value)));
  }
  double free = 0; // where the next name of a column has room
  for (std::size_t column = 0; column < columns; ++column) {
    const double x = left + width * (static_cast<double>(column) + 0.5);
    const double half = text_width(grid.columns[column]) / 2;
    if (x - half < free) continue;
    svg.text({x, bottom + 14}, grid.columns[column], Anchor::middle);
    free = x + half + 8;
  }
  draw_grid_scale(svg, grid, scale, bottom - kGridTop);
  return svg.finish();
}

} // namespace debrief::chart

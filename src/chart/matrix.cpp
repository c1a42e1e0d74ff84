#include "chart/matrix.h"

#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kMatrixLeft = 190; // of the cells
constexpr double kMatrixTop = 18;   // for the columns' numbers
constexpr double kWidest = 56;
constexpr double kRoomForText = 34;
constexpr double kRoomForNumber = 13;
constexpr std::size_t kMaxNameBytes = 60; // in tips: each name is in many

// Upon heat, which is the same in every theme.
constexpr Color kUponDark{"", "#ffffff"};
constexpr Color kUponLight{"", "#1a1d21"};

struct Cells {
  double width = 0;
  double height = 0;

  Box at(std::size_t row, std::size_t column) const {
    return {kMatrixLeft + static_cast<double>(column) * width,
            kMatrixTop + static_cast<double>(row) * height, width - 1, height - 1};
  }
};

Cells cells_of(std::size_t count) {
  const auto columns = static_cast<double>(std::max<std::size_t>(count, 1));
  const double width = std::min((kChartWidth - kMatrixLeft) / columns, kWidest);
  return {width, std::clamp(width * 0.6, 14.0, 24.0)};
}

void draw_cell(Svg& svg, const MatrixChart& chart, const Cells& cells, std::size_t row,
               std::size_t column) {
  const Box box = cells.at(row, column);
  const std::optional<double> value = chart.values[row][column];
  const std::string pair = shortened(chart.names[row], kMaxNameBytes) + ", " +
                           shortened(chart.names[column], kMaxNameBytes);
  if (!value || !std::isfinite(*value)) {
    svg.rect(box, kGrid, pair + ": not known");
    return;
  }
  const double share = chart.greatest > 0 ? *value / chart.greatest : 0;
  svg.open_tip(fmt::format("{}: {:.3f}", pair, *value));
  svg.rect(box, heat(share));
  if (box.width >= kRoomForText)
    svg.text({box.x + box.width / 2, box.y + box.height / 2 + 4}, fmt::format("{:.3f}", *value),
             Anchor::middle, share < 0.6 ? kUponDark : kUponLight);
  svg.close();
}

/// In the corner that the lower half leaves.
void draw_scale(Svg& svg, const MatrixChart& chart) {
  constexpr double kStep = 14;
  const double left = kChartWidth - 60 - kStep * static_cast<double>(kHeats);
  for (std::size_t at = 0; at < kHeats; ++at) {
    const double share = (static_cast<double>(at) + 0.5) / static_cast<double>(kHeats);
    svg.rect({left + kStep * static_cast<double>(at), 2, kStep, 10}, heat(share));
  }
  svg.text({left - 5, 11}, "0", Anchor::end);
  svg.text({left + kStep * static_cast<double>(kHeats) + 5, 11},
           fmt::format("{:.3f}", chart.greatest));
}

} // namespace

std::string draw(const MatrixChart& chart) {
  const std::size_t count = chart.names.size();
  const Cells cells = cells_of(count);
  Svg svg(kChartWidth, kMatrixTop + cells.height * static_cast<double>(count) + 2, chart.label);
  for (std::size_t row = 0; row < count; ++row) {
    const Box first = cells.at(row, 0);
    const double base = first.y + first.height / 2 + 4;
    svg.open_tip(tip_name(chart.names[row]));
    svg.text({kMatrixLeft - 30, base}, fitted(chart.names[row], kMatrixLeft - 34), Anchor::end,
             kInk);
    svg.close();
    svg.text({kMatrixLeft - 8, base}, std::to_string(row + 1), Anchor::end);
    for (std::size_t column = 0; column < row; ++column)
      draw_cell(svg, chart, cells, row, column);
    // On the diagonal, so that a number is near its cells.
    if (cells.width >= kRoomForNumber && row + 1 < count)
      svg.text({cells.at(row, row).x + cells.width / 2, base}, std::to_string(row + 1),
               Anchor::middle);
  }
  draw_scale(svg, chart);
  return svg.finish();
}

} // namespace debrief::chart

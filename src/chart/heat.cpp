#include "chart/heat.h"

#include "chart/svg.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kHeatRowsTop = 6;
constexpr double kTallest = 14; ///< of a row
constexpr double kHeatRowsThinnest = 4;
constexpr double kAllRows = 400; ///< wanted height of all rows together
constexpr double kApart = 8;
constexpr double kHeatRowsLabelGap = 12;

std::size_t level(float percent) {
  const double share = std::clamp(static_cast<double>(percent) / 100, 0.0, 1.0);
  return std::min(static_cast<std::size_t>(share * static_cast<double>(kHeats)), kHeats - 1);
}

Color level_color(std::size_t level) {
  return heat((static_cast<double>(level) + 0.5) / static_cast<double>(kHeats));
}

using Levels = std::array<Path, kHeats>;

/// Lines as thick as the row, one for each run of the same level.
void add_row(Levels& levels, const std::vector<float>& percents, double y) {
  const double width = plot_width() / static_cast<double>(percents.size());
  for (std::size_t at = 0; at < percents.size();) {
    if (!std::isfinite(percents[at])) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    const std::size_t of_run = level(percents[at]);
    while (at < percents.size() && std::isfinite(percents[at]) && level(percents[at]) == of_run)
      ++at;
    levels[of_run].move(panel_left() + width * static_cast<double>(from), y);
    levels[of_run].line(panel_left() + width * static_cast<double>(at), y);
  }
}

/// Which rows are named: the first of each kind, and others that have room for it.
std::vector<bool> labeled_rows(const std::vector<HeatRow>& rows,
                               const std::vector<double>& middles) {
  std::vector<bool> out(rows.size(), false);
  double before = -kHeatRowsLabelGap;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    std::size_t next = at + 1; // row of another kind
    while (next < rows.size() && !rows[next].apart)
      ++next;
    const bool room = middles[at] - before >= kHeatRowsLabelGap &&
                      (next == rows.size() || middles[next] - middles[at] >= kHeatRowsLabelGap);
    if (!room && !rows[at].apart) continue;
    out[at] = true;
    before = middles[at];
  }
  return out;
}

/// In the right margin, greatest on top.
void draw_color_bar(Svg& svg, double top, double height) {
  const double x = panel_left() + plot_width() + 12;
  const double part = height / static_cast<double>(kHeats);
  for (std::size_t at = 0; at < kHeats; ++at)
    svg.rect({x, top + height - part * static_cast<double>(at + 1), 10, part}, level_color(at));
  svg.text({x + 14, top + 9}, "100%");
  svg.text({x + 14, top + height}, "0%");
}

} // namespace

std::size_t heat_columns(std::size_t rows) {
  return static_cast<std::size_t>(plot_width() / (rows <= 64 ? 4 : 5));
}

std::string heat_rows(const TimePanel& panel, const std::vector<HeatRow>& rows) {
  const double pitch =
      std::clamp(std::floor(kAllRows / static_cast<double>(std::max<std::size_t>(rows.size(), 1))),
                 kHeatRowsThinnest, kTallest);
  const double thick = pitch >= 8 ? pitch - 1 : pitch;
  std::vector<double> middles;
  double bottom = kHeatRowsTop;
  for (const HeatRow& row : rows) {
    if (row.apart && &row != &rows.front()) bottom += kApart;
    middles.push_back(bottom + thick / 2);
    bottom += pitch;
  }
  const double bar = std::max(bottom - kHeatRowsTop, 60.0);
  Svg svg(panel_width(), kHeatRowsTop + bar + kTimeAxisHeight, panel.label);
  Levels levels;
  const std::vector<bool> labeled = labeled_rows(rows, middles);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    add_row(levels, rows[at].percents, middles[at]);
    if (labeled[at])
      svg.text({panel_left() - 6, middles[at] + 4}, fitted_end(rows[at].name, panel_left() - 8),
               Anchor::end);
  }
  for (std::size_t at = 0; at < kHeats; ++at)
    if (!levels[at].empty()) svg.stroke_path(levels[at].text(), level_color(at), thick);
  draw_color_bar(svg, kHeatRowsTop, bar);
  draw_time_axis(svg, panel.span, bottom, 0);
  return svg.finish();
}

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
  const double width = std::min((chart_width() - kMatrixLeft) / columns, kWidest);
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
  const double left = chart_width() - 60 - kStep * static_cast<double>(kHeats);
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
  Svg svg(chart_width(), kMatrixTop + cells.height * static_cast<double>(count) + 2, chart.label);
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

#include "chart/heat_rows.h"

#include "chart/path.h"

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
  const double width = kPlotWidth / static_cast<double>(percents.size());
  for (std::size_t at = 0; at < percents.size();) {
    if (!std::isfinite(percents[at])) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    const std::size_t of_run = level(percents[at]);
    while (at < percents.size() && std::isfinite(percents[at]) && level(percents[at]) == of_run)
      ++at;
    levels[of_run].move(kPanelLeft + width * static_cast<double>(from), y);
    levels[of_run].line(kPanelLeft + width * static_cast<double>(at), y);
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
  const double x = kPanelLeft + kPlotWidth + 12;
  const double part = height / static_cast<double>(kHeats);
  for (std::size_t at = 0; at < kHeats; ++at)
    svg.rect({x, top + height - part * static_cast<double>(at + 1), 10, part}, level_color(at));
  svg.text({x + 14, top + 9}, "100 %");
  svg.text({x + 14, top + height}, "0 %");
}

} // namespace

std::size_t heat_columns(std::size_t rows) {
  return static_cast<std::size_t>(kPlotWidth / (rows <= 64 ? 4 : 5));
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
  Svg svg(kPanelWidth, kHeatRowsTop + bar + kTimeAxisHeight, panel.label);
  Levels levels;
  const std::vector<bool> labeled = labeled_rows(rows, middles);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    add_row(levels, rows[at].percents, middles[at]);
    if (labeled[at])
      svg.text({kPanelLeft - 6, middles[at] + 4}, fitted_end(rows[at].name, kPanelLeft - 8),
               Anchor::end);
  }
  for (std::size_t at = 0; at < kHeats; ++at)
    if (!levels[at].empty()) svg.stroke_path(levels[at].text(), level_color(at), thick);
  draw_color_bar(svg, kHeatRowsTop, bar);
  draw_time_axis(svg, panel.span, bottom, 0);
  return svg.finish();
}

} // namespace debrief::chart

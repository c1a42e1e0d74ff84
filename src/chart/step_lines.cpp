#include "chart/step_lines.h"

#include "chart/axis.h"
#include "chart/path.h"

#include <algorithm>

namespace debrief::chart {

namespace {

constexpr double kStepLinesLeft = 64;
constexpr double kStepLinesRight = kChartWidth - 26; // the axis's last label hangs over
constexpr double kStepLinesTop = 6;
constexpr double kStepLinesBottom = 146;
constexpr double kStepLinesAxis = 22;

/// To each moment with the value before it, then up or down.
void add_steps(Path& path, const StepLines& chart, const StepLine& line, const Scale& x,
               const Scale& y) {
  const std::size_t count = std::min(chart.seconds.size(), line.values.size());
  for (std::size_t at = 1; at < count; ++at) {
    path.line(x(chart.seconds[at]), y(line.values[at - 1]));
    if (line.values[at] != line.values[at - 1]) path.line(x(chart.seconds[at]), y(line.values[at]));
  }
}

} // namespace

std::string draw(const StepLines& chart) {
  double most = 0;
  for (const StepLine& line : chart.lines)
    for (const double value : line.values)
      most = std::max(most, value);
  const double high = most > 0 ? 1.05 * most : 1;
  const double end = chart.seconds.empty() ? 0 : chart.seconds.back();
  const double from = chart.seconds.empty() ? 0 : chart.seconds.front();
  const Scale x{from, end, kStepLinesLeft, kStepLinesRight};
  const Scale y{0, high, kStepLinesBottom, kStepLinesTop};
  Svg svg(kChartWidth, kStepLinesBottom + kStepLinesAxis, chart.label);
  draw_left_axis(svg, y, bytes_ticks(high, 4), kStepLinesLeft, kStepLinesRight - kStepLinesLeft);
  if (end > from) draw_bottom_axis(svg, x, duration_ticks(from, end, 6), kStepLinesBottom, 0);
  for (std::size_t at = 0; at < chart.lines.size(); ++at) {
    const StepLine& line = chart.lines[at];
    if (line.values.empty() || chart.seconds.empty()) continue;
    svg.open(std::to_string(at));
    svg.open_tip(line.name);
    if (at == 0) {
      Path area;
      area.move(x(from), kStepLinesBottom);
      area.line(x(from), y(line.values.front()));
      add_steps(area, chart, line, x, y);
      area.line(x(end), kStepLinesBottom);
      area.close();
      svg.fill_path(area.text(), kPale, 0.45);
    }
    Path path;
    path.move(x(from), y(line.values.front()));
    add_steps(path, chart, line, x, y);
    svg.stroke_path(path.text(), series(at), 1.25, at == 0 ? "" : "5 2");
    svg.close();
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart

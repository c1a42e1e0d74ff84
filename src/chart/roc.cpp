#include "chart/roc.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::chart {

namespace {

constexpr double kRocLeft = 44;
constexpr double kRocTop = 22;
constexpr double kRocDot = 5;

Point within_unit(const Point& point) {
  return {std::clamp(point.x, 0.0, 1.0), std::clamp(point.y, 0.0, 1.0)};
}

std::vector<Tick> share_ticks() {
  std::vector<Tick> out;
  for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0})
    out.push_back({value, fmt::format("{:.0f}%", 100 * value)});
  return out;
}

} // namespace

std::string draw(const RocChart& chart) {
  const double side = by_width(290, 270);
  const double right = kRocLeft + side;
  const double bottom = kRocTop + side;
  Svg svg(chart_width(), bottom + 38, chart.label);
  const Scale x{0, 1, kRocLeft, right};
  const Scale y{0, 1, bottom, kRocTop};
  draw_left_axis(svg, y, share_ticks(), kRocLeft, side);
  draw_bottom_axis(svg, x, share_ticks(), bottom, side);
  svg.text({kRocLeft, kRocTop - 9}, "true positives");
  svg.text({right, bottom + 32}, "false positives", Anchor::end);
  svg.line({kRocLeft, bottom}, {right, kRocTop}, kQuiet, 1, "4 3");
  Path path;
  for (const Point& any : chart.points) {
    const Point point = within_unit(any);
    if (path.empty())
      path.move(x(point.x), y(point.y));
    else
      path.line(x(point.x), y(point.y));
  }
  svg.open("0");
  if (!path.empty()) svg.stroke_path(path.text(), series(0), 2);
  svg.close();
  for (std::size_t at = 0; at < chart.marks.size(); ++at) {
    const RocMark& mark = chart.marks[at];
    const Point point = within_unit(mark.at);
    svg.open(std::to_string(at + 1));
    svg.circle({x(point.x), y(point.y)}, kRocDot, mark.color, tip_name(mark.words));
    svg.close();
  }
  // Below the diagonal there is room: a model that is worse than chance is rare.
  svg.text({right - 10, bottom - 14}, chart.words, Anchor::end, kInk, 15);
  return svg.finish();
}

} // namespace debrief::chart

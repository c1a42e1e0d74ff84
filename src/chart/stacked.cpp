#include "chart/stacked.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kStackedLeft = 64;
constexpr double kStackedOver = 26; ///< the axis's last label hangs over
constexpr double kStackedTop = 6;
constexpr double kStackedBottom = 146;
constexpr double kStackedAxis = 22;
constexpr double kStackedGap = 5; ///< pixels of a column that has one before the next

double stacked_value(const Stacked& chart, std::size_t kind, std::size_t column) {
  const std::vector<double>& of_kind = chart.values[kind];
  const double value = column < of_kind.size() ? of_kind[column] : 0;
  return std::isfinite(value) ? std::max(value, 0.0) : 0;
}

std::vector<double> stacked_heights(const Stacked& chart, std::size_t columns) {
  std::vector<double> out(columns, 0);
  for (std::size_t kind = 0; kind < chart.values.size(); ++kind)
    for (std::size_t column = 0; column < columns; ++column)
      out[column] += stacked_value(chart, kind, column);
  return out;
}

/// Along the tops from left to right, and back along the bottoms.
void add_outline(Path& path, const std::vector<double>& edges, const Scale& x, const Scale& y,
                 const std::vector<double>& bottoms, const std::vector<double>& tops) {
  path.move(x(edges.front()), y(bottoms.front()));
  for (std::size_t at = 0; at < tops.size(); ++at) {
    path.line(x(edges[at]), y(tops[at]));
    path.line(x(edges[at + 1]), y(tops[at]));
  }
  for (std::size_t at = tops.size(); at-- > 0;) {
    path.line(x(edges[at + 1]), y(bottoms[at]));
    path.line(x(edges[at]), y(bottoms[at]));
  }
  path.close();
}

} // namespace

std::string draw(const Stacked& chart) {
  const std::size_t columns = chart.edges.empty() ? 0 : chart.edges.size() - 1;
  const std::vector<double> heights = stacked_heights(chart, columns);
  const double most = heights.empty() ? 0.0 : *std::max_element(heights.begin(), heights.end());
  const double high = most > 0 ? 1.05 * most : 1;
  const double right = chart_width() - kStackedOver;
  Svg svg(chart_width(), kStackedBottom + kStackedAxis, chart.label);
  const Scale x{columns > 0 ? chart.edges.front() : 0, columns > 0 ? chart.edges.back() : 1,
                kStackedLeft, right};
  const Scale y{0, high, kStackedBottom, kStackedTop};
  draw_left_axis(svg, y, chart.bytes ? bytes_ticks(high, 4) : duration_ticks(0, high, 4),
                 kStackedLeft, right - kStackedLeft);
  double free = 0; // where the next label has room
  std::vector<Tick> ticks;
  for (const Tick& tick : chart.x_ticks) {
    const double half = text_width(tick.label) / 2;
    if (x(tick.value) - half < free) continue;
    free = x(tick.value) + half + 8;
    ticks.push_back(tick);
  }
  draw_bottom_axis(svg, x, ticks, kStackedBottom, 0);
  const bool tipped = !chart.tips.empty() && columns <= kMaxStackedTips;
  const double gap =
      tipped && columns > 0 && (right - kStackedLeft) / static_cast<double>(columns) > kStackedGap
          ? 1
          : 0;
  std::vector<double> below(columns, 0);
  for (std::size_t kind = 0; kind < std::min(chart.kinds.size(), chart.values.size()); ++kind) {
    Path path;
    const std::vector<double> floor = below;
    for (std::size_t column = 0; column < columns; ++column) {
      const double value = stacked_value(chart, kind, column);
      below[column] += value;
      if (gap == 0 || value <= 0) continue;
      const double left = x(chart.edges[column]);
      path.box(left, y(below[column]), std::max(x(chart.edges[column + 1]) - left - gap, 0.5),
               y(floor[column]) - y(below[column]));
    }
    if (gap == 0 && below != floor) add_outline(path, chart.edges, x, y, floor, below);
    if (path.empty()) continue;
    svg.open(std::to_string(kind));
    svg.fill_path(path.text(), chart.kinds[kind].color, 1, tip_name(chart.kinds[kind].name));
    svg.close();
  }
  // Over the parts, so that pointing anywhere in a column tells of all of it.
  for (std::size_t column = 0; tipped && column < std::min(columns, chart.tips.size()); ++column) {
    const double left = x(chart.edges[column]);
    svg.rect({left, kStackedTop, x(chart.edges[column + 1]) - left, kStackedBottom - kStackedTop},
             Color{"", "transparent"}, chart.tips[column]);
  }
  svg.line({kStackedLeft, kStackedBottom}, {right, kStackedBottom}, kQuiet);
  return svg.finish();
}

} // namespace debrief::chart

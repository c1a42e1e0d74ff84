#include "chart/time_dots.h"

#include "chart/reduce.h"
#include "chart/svg.h"

#include <algorithm>

namespace debrief::chart {

namespace {

constexpr double kTimeDotsPlotHeight = 132;
constexpr double kColumnWidth = 2; ///< pixels of a bar and the space after it
constexpr double kMinBar = 2;

/// Series differ by shape as well as by color.
void add_mark(Path& path, std::size_t shape, Point at) {
  constexpr double kHalf = 1.8;
  switch (shape % 4) {
  case 0:
    path.box(at.x - kHalf + 0.3, at.y - kHalf + 0.3, 2 * kHalf - 0.6, 2 * kHalf - 0.6);
    return;
  case 1: // a diamond
    path.move(at.x, at.y - kHalf - 0.7);
    path.line(at.x + kHalf + 0.7, at.y);
    path.line(at.x, at.y + kHalf + 0.7);
    path.line(at.x - kHalf - 0.7, at.y);
    break;
  case 2: // lying
    path.box(at.x - kHalf - 1, at.y - 0.7, 2 * kHalf + 2, 1.4);
    return;
  default: // standing
    path.box(at.x - 0.7, at.y - kHalf - 1, 1.4, 2 * kHalf + 2);
    return;
  }
  path.close();
}

void add_triangle(Path& path, Point at, double half) {
  path.move(at.x, at.y - half);
  path.line(at.x + half, at.y + half);
  path.line(at.x - half, at.y + half);
  path.close();
}

/// What starts within a column.
struct Bar {
  double top = 0;
  double bottom = 0;
  double sum = 0; ///< of the heights, for their mean
  double count = 0;

  void add(double y) {
    top = count > 0 ? std::min(top, y) : y;
    bottom = std::max(bottom, y);
    sum += y;
    ++count;
  }
};

class Marks {
public:
  Marks(PanelDrawing& panel, const TimeSpan& span)
      : panel_(panel)
      , grid_{span, static_cast<std::size_t>(plot_width() / kColumnWidth), 0} {}

  /// Bars of one series among several are pale, with their means as a line, so that none hides
  /// another.
  void draw_usual(const std::vector<Dot>& dots, std::size_t index, bool alone) {
    Path path;
    if (dots.size() <= kMaxDots) {
      add_dots(path, dots, index);
    } else {
      const std::vector<Bar> bars = bars_of(path, dots);
      Path boxes;
      for (std::size_t at = 0; at < bars.size(); ++at)
        if (bars[at].count > 0) add_bar(boxes, at, bars[at]);
      panel_.svg.fill_path(boxes.text(), series(index), alone ? 1 : 0.3);
      if (!alone) panel_.svg.stroke_path(means(bars), series(index), 1.25);
    }
    if (!path.empty()) panel_.svg.fill_path(path.text(), series(index));
  }

  void draw_outlying(const std::vector<NotedDot>& outlying) {
    for (const NotedDot& noted : outlying) {
      Path path;
      add_triangle(path, place(noted.dot), 4.5);
      panel_.svg.fill_path(path.text(), kInk, 1, noted.tip);
    }
  }

private:
  Point place(const Dot& dot) const {
    return {panel_.x(static_cast<double>(dot.start)),
            std::max(panel_.y(in_seconds(dot.duration)), panel_.top)};
  }

  bool is_above(const Dot& dot) const { return in_seconds(dot.duration) > panel_.y.high; }

  void add_dots(Path& path, const std::vector<Dot>& dots, std::size_t index) const {
    for (const Dot& dot : dots)
      if (is_above(dot))
        add_triangle(path, place(dot), 3);
      else
        add_mark(path, index, place(dot));
  }

  /// Of each column; what is longer than the axis is a triangle in `above`.
  std::vector<Bar> bars_of(Path& above, const std::vector<Dot>& dots) const {
    std::vector<Bar> bars(grid_.columns);
    std::vector<bool> has_above(grid_.columns, false);
    for (const Dot& dot : dots) {
      if (!grid_.span.contains(dot.start)) continue;
      const std::size_t at = grid_.column(dot.start);
      if (!is_above(dot)) {
        bars[at].add(place(dot).y);
        continue;
      }
      if (!has_above[at]) add_triangle(above, place(dot), 3);
      has_above[at] = true;
    }
    return bars;
  }

  void add_bar(Path& path, std::size_t column, const Bar& bar) const {
    path.box(panel_left() + kColumnWidth * static_cast<double>(column),
             std::min(bar.top, panel_.bottom - kMinBar), kColumnWidth - 0.5,
             std::max(bar.bottom - bar.top, kMinBar));
  }

  static std::string means(const std::vector<Bar>& bars) {
    Path path;
    for (std::size_t at = 0; at < bars.size(); ++at) {
      if (bars[at].count == 0) continue;
      const double x = panel_left() + kColumnWidth * (static_cast<double>(at) + 0.5);
      const double y = bars[at].sum / bars[at].count;
      if (at == 0 || bars[at - 1].count == 0) path.move(x - 1, y);
      path.line(x, y);
      if (at + 1 == bars.size() || bars[at + 1].count == 0) path.line(x + 1, y);
    }
    return path.text();
  }

  PanelDrawing& panel_;
  Grid grid_;
};

/// The names of the series below each other, each with its mark.
void draw_names(PanelDrawing& panel, const std::vector<DotSeries>& all, std::size_t index) {
  const double x = panel_left() + plot_width() + 8;
  const double y = panel.top + 8 + 14 * static_cast<double>(index);
  Path path;
  add_mark(path, index, {x + 2, y - 4});
  panel.svg.fill_path(path.text(), series(index));
  panel.svg.text({x + 9, y}, fitted_end(all[index].name, panel_right() - 19));
}

Microseconds share_below(const std::vector<Dot>& dots, double share) {
  std::vector<Microseconds> durations;
  durations.reserve(dots.size());
  for (const Dot& dot : dots)
    durations.push_back(dot.duration);
  const auto at = durations.begin() +
                  static_cast<std::ptrdiff_t>(share * static_cast<double>(durations.size() - 1));
  std::nth_element(durations.begin(), at, durations.end());
  return *at;
}

} // namespace

double dots_ceiling(const std::vector<DotSeries>& all) {
  Microseconds longest = 0;
  Microseconds most_below = 0;
  for (const DotSeries& series : all) {
    for (const Dot& dot : series.usual)
      longest = std::max(longest, dot.duration);
    for (const NotedDot& noted : series.outlying)
      longest = std::max(longest, noted.dot.duration);
    if (!series.usual.empty()) most_below = std::max(most_below, share_below(series.usual, 0.95));
  }
  if (most_below > 0) longest = std::min(longest, 4 * most_below);
  return longest > 0 ? 1.05 * in_seconds(longest) : 1;
}

std::string time_dots(const TimePanel& panel, const ValueAxis& axis,
                      const std::vector<DotSeries>& all) {
  PanelDrawing drawing = begin_panel(panel, axis, kTimeDotsPlotHeight);
  Marks marks(drawing, panel.span);
  for (std::size_t at = 0; at < all.size(); ++at) {
    drawing.svg.open(std::to_string(at));
    marks.draw_usual(all[at].usual, at, all.size() == 1);
    marks.draw_outlying(all[at].outlying);
    if (all.size() > 1 && !is_for_phone()) draw_names(drawing, all, at);
    drawing.svg.close();
  }
  return drawing.svg.finish();
}

} // namespace debrief::chart

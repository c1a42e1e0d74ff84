#include "chart/time_lines.h"

#include "chart/axis.h"
#include "chart/svg.h"
#include "chart/words.h"

#include <algorithm>
#include <utility>

namespace debrief::chart {

namespace {

constexpr double kTimeLinesPlotHeight = 96;
constexpr double kDot = 1.5;              ///< half the width of a sample that stands alone
constexpr double kTimeLinesLabelGap = 12; ///< between the base lines of two names

/// Calls `use` with each run of columns between gaps.
template <typename Use>
void each_run(const std::vector<Column>& columns, const Use& use) {
  for (auto from = columns.begin(); from != columns.end();) {
    const auto to = std::find_if(from + 1, columns.end(),
                                 [](const Column& column) { return column.after_gap; });
    use(std::span<const Column>{from, to});
    from = to;
  }
}

double value_y(const PanelDrawing& panel, float value) {
  return std::clamp(panel.y(static_cast<double>(value)), panel.top, panel.bottom);
}

std::string line_path(const PanelDrawing& panel, const std::vector<Column>& columns) {
  Path path;
  each_run(columns, [&](std::span<const Column> run) {
    const auto at = [&](const Column& column) {
      return Point{panel.x(column.time), value_y(panel, column.mean)};
    };
    const Point first = at(run.front());
    if (run.size() == 1) {
      path.move(first.x - kDot, first.y);
      path.line(first.x + kDot, first.y);
      return;
    }
    path.move(first.x, first.y);
    for (const Column& column : run.subspan(1))
      path.line(at(column).x, at(column).y);
  });
  return path.text();
}

/// From each column's first sample to its last, so that no sample lies outside.
std::string band_path(const PanelDrawing& panel, const std::vector<Column>& columns) {
  Path path;
  each_run(columns, [&](std::span<const Column> run) {
    const double wider = run.size() == 1 ? kDot : 0;
    const auto from = [&](const Column& column) {
      return panel.x(static_cast<double>(column.first)) - wider;
    };
    const auto to = [&](const Column& column) {
      return panel.x(static_cast<double>(column.last)) + wider;
    };
    path.move(from(run.front()), value_y(panel, run.front().greatest));
    for (const Column& column : run) {
      path.line(from(column), value_y(panel, column.greatest));
      path.line(to(column), value_y(panel, column.greatest));
    }
    for (std::size_t at = run.size(); at-- > 0;) {
      path.line(to(run[at]), value_y(panel, run[at].least));
      path.line(from(run[at]), value_y(panel, run[at].least));
    }
    path.close();
  });
  return path.text();
}

/// Base lines of the names: at the lines' ends where there is room, else moved apart.
std::vector<double> label_places(const PanelDrawing& panel, const std::vector<TimeLine>& lines) {
  std::vector<std::pair<double, std::size_t>> wanted;
  for (std::size_t at = 0; at < lines.size(); ++at)
    if (!lines[at].columns.empty())
      wanted.emplace_back(value_y(panel, lines[at].columns.back().mean) + 4, at);
  std::sort(wanted.begin(), wanted.end());
  std::vector<double> places(lines.size(), 0);
  double least = panel.top + 4;
  for (auto& [y, at] : wanted) {
    y = std::max(y, least);
    least = y + kTimeLinesLabelGap;
  }
  double most = panel.bottom + 4;
  for (std::size_t from_below = wanted.size(); from_below-- > 0;) {
    const auto& [y, label] = wanted[from_below];
    places[label] = std::min(y, most);
    most = places[label] - kTimeLinesLabelGap;
  }
  return places;
}

} // namespace

Color line_color(std::size_t index) {
  return series(index);
}

std::string time_lines(const TimePanel& panel, const ValueAxis& axis,
                       const std::vector<TimeLine>& lines) {
  PanelDrawing drawing = begin_panel(panel, axis, kTimeLinesPlotHeight);
  const std::vector<double> labels = label_places(drawing, lines);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const TimeLine& line = lines[at];
    if (line.columns.empty()) continue;
    drawing.svg.open(std::to_string(at));
    drawing.svg.open_tip(tip_name(line.name));
    if (line.band) drawing.svg.fill_path(band_path(drawing, line.columns), kPale, 0.6);
    drawing.svg.stroke_path(line_path(drawing, line.columns), line_color(at), 1.25,
                            at < kSeries ? "" : "4 2");
    if (!is_for_phone())
      drawing.svg.text({panel_left() + plot_width() + 6, labels[at]},
                       fitted_end(line.name, panel_right() - 8), Anchor::start, line_color(at));
    drawing.svg.close();
    drawing.svg.close();
  }
  return drawing.svg.finish();
}

namespace {

constexpr double kStepLinesLeft = 64;
constexpr double kStepLinesTop = 6;
constexpr double kStepLinesBottom = 146;
constexpr double kStepLinesAxis = 22;

/// At most one moment for each two pixels: the one with the highest first line, so that peaks stay.
StepLines thinned(const StepLines& chart, double pixels) {
  const auto most = static_cast<std::size_t>(std::max(pixels / 2, 1.0));
  if (chart.seconds.size() <= most || chart.lines.empty()) return chart;
  StepLines out{chart.label, {}, {}};
  for (const StepLine& line : chart.lines)
    out.lines.push_back({line.name, {}});
  const std::vector<double>& first = chart.lines.front().values;
  const std::size_t count = std::min(chart.seconds.size(), first.size());
  const double from = chart.seconds.front();
  const double length = std::max(chart.seconds.back() - from, 1e-9);
  const auto pixel_of = [&](std::size_t at) {
    return static_cast<std::size_t>((chart.seconds[at] - from) / length *
                                    static_cast<double>(most));
  };
  for (std::size_t at = 0; at < count;) {
    std::size_t best = at;
    std::size_t end = at;
    for (; end < count && pixel_of(end) == pixel_of(at); ++end)
      if (first[end] > first[best]) best = end;
    out.seconds.push_back(chart.seconds[at == 0 ? 0 : end == count ? count - 1 : best]);
    for (std::size_t line = 0; line < chart.lines.size(); ++line)
      out.lines[line].values.push_back(
          best < chart.lines[line].values.size() ? chart.lines[line].values[best] : 0);
    at = end;
  }
  return out;
}

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

std::string draw(const StepLines& whole) {
  const StepLines chart = thinned(whole, chart_width());
  double most = 0;
  for (const StepLine& line : chart.lines)
    for (const double value : line.values)
      most = std::max(most, value);
  const double high = most > 0 ? 1.05 * most : 1;
  const double end = chart.seconds.empty() ? 0 : chart.seconds.back();
  const double from = chart.seconds.empty() ? 0 : chart.seconds.front();
  const double right = chart_width() - 26; // the axis's last label hangs over
  const Scale x{from, end, kStepLinesLeft, right};
  const Scale y{0, high, kStepLinesBottom, kStepLinesTop};
  Svg svg(chart_width(), kStepLinesBottom + kStepLinesAxis, chart.label);
  draw_left_axis(svg, y, bytes_ticks(high, 4), kStepLinesLeft, right - kStepLinesLeft);
  if (end > from)
    draw_bottom_axis(svg, x, duration_ticks(from, end, is_for_phone() ? 3 : 6), kStepLinesBottom,
                     0);
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

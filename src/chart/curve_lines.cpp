#include "chart/curve_lines.h"

#include "chart/axis.h"
#include "chart/width.h"
#include "chart/words.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace debrief::chart {

namespace {

constexpr double kCurvesLeft = 64;
constexpr double kCurvesMargin = 34; ///< at the right: the axis's last label hangs over
constexpr double kCurvesTop = 14;
constexpr double kCurvesBottom = 174;
constexpr double kCurvesHeight = 210;
constexpr double kCurveDot = 2;
constexpr std::size_t kMaxDots = 40;    ///< points of a line that are marked one by one
constexpr double kDecadesFrom = 1000;   ///< highest by lowest
constexpr double kLargestDrawn = 8e307; ///< so that no difference of two is infinite
constexpr double kLargestExact = 9e15;  ///< steps below it are whole numbers as doubles
constexpr double kMarkWidth = 4;        ///< half of the mark where a gap begins

double curves_right() {
  return chart_width() - kCurvesMargin;
}

/// Powers of ten, by their exponents.
std::vector<Tick> power_ticks(double low, double high) {
  const auto first = static_cast<int>(std::ceil(low - 1e-9));
  const auto last = static_cast<int>(std::floor(high + 1e-9));
  const int step = std::max(1, (last - first + 5) / 6);
  std::vector<Tick> out;
  for (int at = first; at <= last; at += step)
    out.push_back({static_cast<double>(at),
                   at >= -3 && at <= 5 ? fmt::format("{:.{}f}", std::pow(10, at), std::max(0, -at))
                                       : fmt::format("1e{}", at)});
  return out;
}

std::vector<Tick> step_ticks(double low, double high) {
  std::vector<Tick> out;
  for (const double value : nice_values(low, high, is_narrow() ? 3 : 7)) {
    if (value != std::floor(value)) continue;
    out.push_back({value, std::abs(value) < kLargestExact
                              ? count_text(static_cast<std::int64_t>(value))
                              : short_exponent(fmt::format("{:.4g}", value))});
  }
  return out;
}

/// From steps and values to pixels.
struct CurveScales {
  Scale x;
  Scale y;
  bool logarithmic = false;

  /// Nothing for what is a gap.
  std::optional<Point> at(double step, const std::optional<double>& value) const {
    if (!value || !std::isfinite(*value) || (logarithmic && *value <= 0)) return std::nullopt;
    const double shown =
        logarithmic ? std::log10(*value) : std::clamp(*value, -kLargestDrawn, kLargestDrawn);
    return Point{x(step), y(shown)};
  }
};

std::size_t points_of(const CurveLine& line) {
  return std::min(line.steps.size(), line.values.size());
}

void draw_curve(Svg& svg, const CurveLine& line, const CurveScales& scales, const Color& color) {
  Path path;
  std::vector<Point> dots;
  const std::size_t count = points_of(line);
  std::optional<Point> before;
  for (std::size_t row = 0; row < count; ++row) {
    const auto here = scales.at(line.steps[row], line.values[row]);
    const bool goes_on =
        row + 1 < count && scales.at(line.steps[row + 1], line.values[row + 1]).has_value();
    if (here && before) path.line(here->x, here->y);
    if (here && !before && goes_on) path.move(here->x, here->y);
    if (here && (count <= kMaxDots || (!before && !goes_on))) dots.push_back(*here);
    before = here;
  }
  if (!path.empty()) svg.stroke_path(path.text(), color, 1.5);
  for (const Point& dot : dots)
    svg.circle(dot, kCurveDot, color);
}

/// Where values stop being finite: a dashed line at the first such step, and a small triangle at
/// the top wherever it happens again.
void draw_gaps(Svg& svg, const CurveLine& line, const CurveScales& scales) {
  bool first = true;
  bool inside = false;
  Path again;
  for (std::size_t row = 0; row < points_of(line); ++row) {
    const bool gap = !line.values[row] || !std::isfinite(*line.values[row]);
    if (gap && !inside) {
      const double x = scales.x(line.steps[row]);
      if (first) svg.line({x, kCurvesTop}, {x, kCurvesBottom}, kAlarm, 1, "3 3");
      again.move(x - kMarkWidth, kCurvesTop - kMarkWidth);
      again.line(x + kMarkWidth, kCurvesTop - kMarkWidth);
      again.line(x, kCurvesTop + kMarkWidth);
      again.close();
      first = false;
    }
    inside = gap;
  }
  if (!again.empty())
    svg.fill_path(again.text(), kAlarm, 1,
                  fmt::format("{}: NaN or infinite from here", tip_name(line.name)));
}

} // namespace

std::optional<CurveRange> range_of(const std::vector<CurveLine>& lines) {
  std::optional<CurveRange> out;
  for (const CurveLine& line : lines)
    for (std::size_t row = 0; row < points_of(line); ++row) {
      const std::optional<double>& value = line.values[row];
      if (!value || !std::isfinite(*value)) continue;
      const double shown = std::clamp(*value, -kLargestDrawn, kLargestDrawn);
      if (!out) out = CurveRange{shown, shown};
      out->low = std::min(out->low, shown);
      out->high = std::max(out->high, shown);
    }
  return out;
}

bool spans_decades(const std::vector<CurveLine>& lines) {
  const auto range = range_of(lines);
  return range && range->low > 0 && range->high / range->low > kDecadesFrom;
}

std::string draw(const CurveChart& chart) {
  Svg svg(chart_width(), kCurvesHeight,
          chart.logarithmic ? chart.label + ", on a log scale" : chart.label);
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const CurveLine& line : chart.lines)
    for (std::size_t row = 0; row < points_of(line); ++row) {
      first = std::min(first, line.steps[row]);
      last = std::max(last, line.steps[row]);
    }
  if (first > last) return svg.finish();
  const CurveRange range = range_of(chart.lines).value_or(CurveRange{0, 1});
  const bool logarithmic = chart.logarithmic && range.low > 0;
  double low = logarithmic ? std::log10(range.low) : range.low;
  double high = logarithmic ? std::log10(range.high) : range.high;
  double room = 0.05 * (high - low);
  if (room <= 0) room = low == 0 ? 1 : 0.1 * std::abs(low); // a level line is in the middle
  low = !logarithmic && low >= 0 ? std::max(0.0, low - room) : low - room;
  high += room;
  const CurveScales scales{{first, last, kCurvesLeft, curves_right()},
                           {low, high, kCurvesBottom, kCurvesTop},
                           logarithmic};
  draw_left_axis(svg, scales.y, logarithmic ? power_ticks(low, high) : value_ticks(low, high, 4),
                 kCurvesLeft, curves_right() - kCurvesLeft);
  draw_bottom_axis(svg, scales.x, step_ticks(first, last), kCurvesBottom, 0);
  svg.text({curves_right(), kCurvesBottom + 31}, chart.axis, Anchor::end);
  if (logarithmic) svg.text({kCurvesLeft, kCurvesBottom + 31}, "log scale", Anchor::start);
  for (std::size_t at = 0; at < chart.lines.size(); ++at) {
    const CurveLine& line = chart.lines[at];
    svg.open(std::to_string(at));
    svg.open_tip(tip_name(line.name));
    draw_curve(svg, line, scales, series(at));
    svg.close();
    draw_gaps(svg, line, scales);
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart

#include "chart/roofline.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace debrief::chart {

namespace {

constexpr double kRooflineLeft = 62;
constexpr double kRooflineTop = 16;
constexpr double kRooflineBottom = 300;
constexpr double kRooflineHeight = 344;
constexpr double kSmallestDot = 3;
constexpr double kLargestDot = 15;

double roofline_right() {
  return chart_width() - 20;
}

bool is_drawn(const RooflinePoint& point) {
  return std::isfinite(point.intensity) && std::isfinite(point.tflops) && point.intensity > 0 &&
         point.tflops > 0;
}

/// Powers of ten around all numbers above 0.
struct Decades {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    low = std::min(low, std::floor(std::log10(value)));
    high = std::max(high, std::ceil(std::log10(value)));
  }

  bool empty() const { return low > high; }
};

/// "0.01", "1", "1 000".
std::string decade_label(double exponent) {
  if (exponent >= 6) return fmt::format("10^{}", exponent);
  if (exponent < 0)
    return fmt::format("{:.{}f}", std::pow(10, exponent), static_cast<int>(-exponent));
  return fmt::format("{:.0f}", std::pow(10, exponent));
}

std::vector<Tick> decade_ticks(const Decades& decades) {
  // Of more decades than labels have room for, every second or third has one.
  const auto decades_there = static_cast<int>(decades.high - decades.low);
  const int most = is_for_phone() ? 5 : 10;
  const int step = std::max(1, (decades_there + most - 1) / most);
  std::vector<Tick> ticks;
  for (int at = 0; at <= decades_there; at += step)
    ticks.push_back({decades.low + at, decade_label(decades.low + at)});
  return ticks;
}

/// From numbers to pixels by their logarithms.
struct LogScales {
  Scale x;
  Scale y;

  Point at(double intensity, double tflops) const {
    return {x(std::log10(intensity)), y(std::log10(tflops))};
  }
};

/// The line of the memory up to the highest peak, and a level line for each peak from there on.
void draw_roofs(Svg& svg, const RooflineChart& chart, const LogScales& scales) {
  const double bandwidth = chart.tb_per_second.value_or(0);
  if (!(bandwidth > 0) || chart.peaks.empty()) return;
  double highest = 0;
  double label_above = -std::numeric_limits<double>::infinity(); // where the last label stands
  std::vector<RooflinePeak> peaks = chart.peaks;
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const auto& a, const auto& b) { return a.tflops > b.tflops; });
  for (const RooflinePeak& peak : peaks) {
    if (!(peak.tflops > 0)) continue;
    highest = std::max(highest, peak.tflops);
    const Point ridge = scales.at(peak.tflops / bandwidth, peak.tflops);
    svg.line(ridge, {roofline_right(), ridge.y}, kQuiet, 1.5);
    if (ridge.y - label_above < 12) continue; // no room for its words
    label_above = ridge.y;
    svg.text({roofline_right(), ridge.y - 3},
             fmt::format("{} {} TFLOP/s", peak.name, number(peak.tflops)), Anchor::end);
  }
  const double from = std::pow(10, std::max(scales.x.low, scales.y.low - std::log10(bandwidth)));
  if (highest <= 0 || from >= highest / bandwidth) return;
  const Point low = scales.at(from, from * bandwidth);
  const Point high = scales.at(highest / bandwidth, highest);
  svg.line(low, high, kQuiet, 1.5);
  svg.text({(low.x + high.x) / 2 - 8, (low.y + high.y) / 2 - 4},
           fmt::format("memory {} TB/s", number(bandwidth)), Anchor::end);
}

void draw_points(Svg& svg, const RooflineChart& chart, const LogScales& scales) {
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind) {
    std::vector<const RooflinePoint*> points;
    for (const RooflinePoint& point : chart.points)
      if (point.kind == kind && is_drawn(point)) points.push_back(&point);
    if (points.empty()) continue;
    // Small ones last, so that none is hidden.
    std::stable_sort(points.begin(), points.end(),
                     [](const auto* a, const auto* b) { return a->share > b->share; });
    svg.open(std::to_string(kind));
    for (const RooflinePoint* point : points)
      svg.circle(scales.at(point->intensity, point->tflops),
                 std::clamp(kLargestDot * std::sqrt(std::max(point->share, 0.0)) * 2, kSmallestDot,
                            kLargestDot),
                 chart.kinds[kind], point->tip);
    svg.close();
  }
}

} // namespace

std::string draw(const RooflineChart& chart) {
  Svg svg(chart_width(), kRooflineHeight, chart.label);
  Decades x;
  Decades y;
  for (const RooflinePoint& point : chart.points) {
    if (!is_drawn(point)) continue;
    x.take(point.intensity);
    y.take(point.tflops);
  }
  for (const RooflinePeak& peak : chart.peaks) {
    y.take(peak.tflops);
    if (chart.tb_per_second) x.take(peak.tflops / *chart.tb_per_second);
  }
  if (x.empty() || y.empty()) return svg.finish();
  x.high = std::max(x.high, x.low + 1);
  y.high = std::max(y.high, y.low + 1);
  const LogScales scales{{x.low, x.high, kRooflineLeft, roofline_right()},
                         {y.low, y.high, kRooflineBottom, kRooflineTop}};
  draw_left_axis(svg, scales.y, decade_ticks(y), kRooflineLeft, roofline_right() - kRooflineLeft);
  draw_bottom_axis(svg, scales.x, decade_ticks(x), kRooflineBottom, kRooflineBottom - kRooflineTop);
  svg.text({kRooflineLeft, kRooflineTop - 5}, "TFLOP/s");
  svg.text({roofline_right(), kRooflineBottom + 34}, "FLOPs per byte", Anchor::end);
  draw_roofs(svg, chart, scales);
  draw_points(svg, chart, scales);
  return svg.finish();
}

} // namespace debrief::chart

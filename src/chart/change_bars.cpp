#include "chart/change_bars.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kChangeBarsLeft = 250;               // of the scale; names are before it
constexpr double kChangeBarsRight = kChartWidth - 30; // of the scale; half a label is behind it
constexpr double kChangeBarsPitch = 20;               // from one bar to the next
constexpr double kChangeBarsBar = 13;                 // height of a bar
constexpr double kChangeBarsAxis = 20;                // height of the ticks' labels
constexpr double kMaxValue = 100; // factor at which the scale ends at the latest

/// The logarithm of the factor, within the scale.
double logarithm(const ChangeBar& row) {
  const double limit = std::log(kMaxValue);
  if (row.before <= 0 && row.after <= 0) return 0;
  if (row.before <= 0) return limit;
  if (row.after <= 0) return -limit;
  return std::clamp(std::log(row.after / row.before), -limit, limit);
}

std::vector<Tick> ticks_within(double reach) {
  std::vector<Tick> ticks = {{0, "same"}};
  // Few enough that labels never touch.
  const std::array<double, 3> factors = {reach < std::log(6) ? 1.5 : 3.0,
                                         reach < std::log(6) ? 3.0 : 10.0, 100.0};
  for (const double factor : factors) {
    const double at = std::log(factor);
    if (at > reach * 1.0001) break;
    ticks.push_back({at, fmt::format("× {:.3g}", factor)});
    ticks.push_back({-at, fmt::format("÷ {:.3g}", factor)});
  }
  return ticks;
}

} // namespace

Color color_of(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::worse:
    return kAlarm;
  case ChangeKind::improved:
    return series(0);
  case ChangeKind::other:
    break;
  }
  return kRest;
}

std::string draw(const ChangeBars& chart) {
  double reach = std::log(1.5);
  for (const ChangeBar& row : chart.rows)
    reach = std::max(reach, std::abs(logarithm(row)));
  const double bottom = kChangeBarsPitch * static_cast<double>(chart.rows.size());
  Svg svg(kChartWidth, bottom + kChangeBarsAxis, chart.label);
  const Scale scale{-reach, reach, kChangeBarsLeft, kChangeBarsRight};
  draw_bottom_axis(svg, scale, ticks_within(reach), bottom, bottom);
  for (const ChangeKind kind : {ChangeKind::worse, ChangeKind::improved, ChangeKind::other}) {
    svg.open(std::to_string(static_cast<int>(kind)));
    for (std::size_t at = 0; at < chart.rows.size(); ++at) {
      const ChangeBar& row = chart.rows[at];
      if (row.kind != kind) continue;
      const double top = kChangeBarsPitch * static_cast<double>(at) + 3;
      const double middle = scale(0);
      const double end = scale(logarithm(row));
      svg.open_tip(fmt::format("{}: {}", tip_name(row.name), row.words));
      svg.text({kChangeBarsLeft - 8, top + 10}, fitted(row.name, kChangeBarsLeft - 12), Anchor::end,
               kInk);
      svg.rect({std::min(middle, end), top, std::max(std::abs(end - middle), 0.5), kChangeBarsBar},
               color_of(kind));
      // Beyond the middle's other side, where there is room whatever the bar's length.
      svg.text({end >= middle ? middle - 5 : middle + 5, top + 10},
               fitted(row.words, (kChangeBarsRight - kChangeBarsLeft) / 2 - 8),
               end >= middle ? Anchor::end : Anchor::start);
      svg.close();
    }
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart

#include "chart/paired_bars.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kPairedBarsLeft = 230;               // of the scale
constexpr double kPairedBarsRight = kChartWidth - 70; // of the scale; values stand behind bars
constexpr double kPairedBarsHead = 22;                // height of a group's name
constexpr double kPairedBarsPitch = 32;               // from one pair to the next
constexpr double kPairedBarsBar = 12;                 // height of a bar
constexpr double kPairedBarsAxis = 22;                // height of the axis below

double drawable(double value) {
  return std::isfinite(value) ? std::max(value, 0.0) : 0;
}

/// The end of the scale: 100, unless there is more, or all is far below it.
double end_of(const PairedChart& chart) {
  double most = 0;
  for (const PairedGroup& group : chart.groups)
    for (const PairedRow& row : group.rows)
      most = std::max({most, drawable(row.first), drawable(row.second.value_or(0))});
  return nice_ceiling(most);
}

/// One pair with its top, so that bars of a kind can be drawn together.
struct Laid {
  const PairedRow* row = nullptr;
  double top = 0;
};

void draw_bar(Svg& svg, const Scale& scale, double value, double top, const Color& color,
              const std::string& tip) {
  const double width = scale(drawable(value)) - scale.from;
  svg.rect({scale.from, top, width, kPairedBarsBar}, color, tip);
  svg.text({scale.from + width + 5, top + 10}, fmt::format("{:.1f} %", value));
}

std::vector<Tick> ticks_of(double end) {
  std::vector<Tick> out;
  for (const double value : nice_values(0, end, 5))
    out.push_back({value, number(value)});
  out.back().label += " %";
  return out;
}

} // namespace

std::string draw(const PairedChart& chart) {
  double bottom = 0;
  for (const PairedGroup& group : chart.groups)
    bottom += kPairedBarsHead + kPairedBarsPitch * static_cast<double>(group.rows.size());
  Svg svg(kChartWidth, bottom + kPairedBarsAxis, chart.label);
  const Scale scale{0, end_of(chart), kPairedBarsLeft, kPairedBarsRight};
  draw_bottom_axis(svg, scale, ticks_of(scale.high), bottom, bottom);
  std::vector<Laid> laid;
  double top = 0;
  for (const PairedGroup& group : chart.groups) {
    svg.text({0, top + 15}, fitted(group.name, kPairedBarsLeft - 12), Anchor::start, kQuiet, 12);
    top += kPairedBarsHead;
    for (const PairedRow& row : group.rows) {
      svg.open_tip(tip_name(row.name));
      svg.text({kPairedBarsLeft - 8, top + 16}, fitted(row.name, kPairedBarsLeft - 12), Anchor::end,
               kInk);
      svg.close();
      laid.push_back({&row, top});
      top += kPairedBarsPitch;
    }
  }
  svg.open("0");
  for (const Laid& pair : laid)
    draw_bar(
        svg, scale, pair.row->first, pair.top, kFirstOfPair,
        fmt::format("{}, {}: {:.2f} %", tip_name(pair.row->name), chart.first, pair.row->first));
  svg.close();
  svg.open("1");
  for (const Laid& pair : laid)
    if (const auto& second = pair.row->second)
      draw_bar(svg, scale, *second, pair.top + kPairedBarsBar, kSecondOfPair,
               fmt::format("{}, {}: {:.2f} %", tip_name(pair.row->name), chart.second, *second));
    else
      svg.text({kPairedBarsLeft + 5, pair.top + kPairedBarsBar + 10}, "not recorded");
  svg.close();
  return svg.finish();
}

} // namespace debrief::chart

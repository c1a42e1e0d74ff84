#include "chart/value_bars.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kValueBarsLeft = 330;                // of the scale; names are before it
constexpr double kValueBarsRight = kChartWidth - 110; // of the scale; words are behind it
constexpr double kValueBarsPitch = 20;                // from one bar to the next
constexpr double kValueBarsBar = 13;                  // height of a bar

double drawable_bar(double value) {
  return std::isfinite(value) ? std::max(value, 0.0) : 0;
}

} // namespace

std::string draw(const ValueBars& chart) {
  double most = 0;
  std::size_t kinds = 0;
  for (const ValueBar& row : chart.rows) {
    most = std::max(most, drawable_bar(row.percent));
    kinds = std::max(kinds, row.kind + 1);
  }
  Svg svg(kChartWidth, kValueBarsPitch * static_cast<double>(chart.rows.size()), chart.label);
  const Scale scale{0, most > 0 ? most : 1, kValueBarsLeft, kValueBarsRight};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    svg.open(std::to_string(kind));
    for (std::size_t at = 0; at < chart.rows.size(); ++at) {
      const ValueBar& row = chart.rows[at];
      if (row.kind != kind) continue;
      const double top = kValueBarsPitch * static_cast<double>(at) + 3;
      const double width = scale(drawable_bar(row.percent)) - kValueBarsLeft;
      svg.open_tip(fmt::format("{}: {}", tip_name(row.name), row.words));
      svg.text({kValueBarsLeft - 8, top + 10}, fitted(row.name, kValueBarsLeft - 12), Anchor::end,
               kInk);
      svg.rect({kValueBarsLeft, top, std::max(width, 0.5), kValueBarsBar}, series(kind));
      svg.text({kValueBarsLeft + width + 5, top + 10}, row.words);
      svg.close();
    }
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart

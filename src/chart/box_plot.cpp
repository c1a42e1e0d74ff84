#include "chart/box_plot.h"

#include "chart/axis.h"
#include "chart/words.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kBoxPlotTop = 16;  // for the head of the medians
constexpr double kBoxPlotAxis = 22; // height of the axis below
constexpr double kTall = 22;        // pitch of few rows
constexpr double kDense = 13;       // pitch of many
constexpr std::size_t kFew = 16;
constexpr double kBoxPlotHead = 20; // of a group, where there are several

/// Pixels of the scale: names are before it, medians behind.
Scale box_scale() {
  return {0, 100, by_width(190, 104), chart_width() - 60};
}

/// A figure that can be drawn: present and finite, cut at the ends of the scale.
std::optional<double> drawable(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return std::clamp(*value, 0.0, 100.0);
}

std::string tip_of(const BoxGroup& group, const BoxRow& row, bool grouped) {
  std::string tip = tip_name(row.name);
  if (grouped) tip += ", " + tip_name(group.name);
  const char* before = ": ";
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return;
    tip += fmt::format("{}{} {}", before, name, exact_percent_text(*value));
    before = ", ";
  };
  add("whisker", row.lower);
  add("p25", row.p25);
  add("median", row.p50);
  add("p75", row.p75);
  add("whisker", row.upper);
  add("mean", row.mean);
  return tip;
}

/// A line from `end`, where it has a bar across, to `inner`.
void add_whisker(std::string& path, double end, double inner, double middle, double half) {
  path += fmt::format("M{} {}v{}M{} {}H{}", number(end), number(middle - half / 2), number(half),
                      number(end), number(middle), number(inner));
}

void draw_row(Svg& svg, const BoxGroup& group, const BoxRow& row, double middle, double pitch) {
  const Scale scale = box_scale();
  const double half = pitch * 0.32;
  const auto lower = drawable(row.lower);
  const auto p25 = drawable(row.p25);
  const auto p50 = drawable(row.p50);
  const auto p75 = drawable(row.p75);
  const auto upper = drawable(row.upper);
  const auto mean = drawable(row.mean);
  svg.text({scale.from - 8, middle + 4}, fitted(row.name, scale.from - 12), Anchor::end, kInk);
  std::string outline;
  if (lower && upper) {
    // From the ends to the box, or to the middle where there is none.
    add_whisker(outline, scale(*lower), scale(p25.value_or(p50.value_or(*upper))), middle, half);
    add_whisker(outline, scale(*upper), scale(p75.value_or(p50.value_or(*lower))), middle, half);
  }
  if (p25 && p75) {
    const double width = std::max(scale(*p75) - scale(*p25), 0.0);
    const std::string box =
        fmt::format("M{} {}h{}v{}h{}z", number(scale(*p25)), number(middle - half), number(width),
                    number(2 * half), number(-width));
    svg.fill_path(box, group.color, 0.4);
    outline += box;
  }
  if (!outline.empty()) svg.stroke_path(outline, group.color, 1);
  if (p50) {
    svg.rect({scale(*p50) - 1, middle - half - 1, 2, 2 * half + 2}, kInk);
    svg.text({chart_width() - 4, middle + 4}, exact_percent_text(*row.p50), Anchor::end, kInk);
  }
  if (mean) svg.circle({scale(*mean), middle}, 2.5, kInk);
  if (!p50 && !mean && !(p25 && p75) && !(lower && upper))
    svg.text({scale.from + 6, middle + 4}, "not known");
}

} // namespace

std::string draw(const BoxChart& chart) {
  std::size_t rows = 0;
  for (const BoxGroup& group : chart.groups)
    rows += group.rows.size();
  const bool several = chart.groups.size() > 1;
  const double pitch = rows > kFew ? kDense : kTall;
  const double heads = several ? kBoxPlotHead * static_cast<double>(chart.groups.size()) : 0;
  const double bottom = kBoxPlotTop + heads + pitch * static_cast<double>(rows);
  const Scale scale = box_scale();
  Svg svg(chart_width(), bottom + kBoxPlotAxis, chart.label);
  draw_bottom_axis(svg, scale, percent_ticks("%"), bottom, bottom - kBoxPlotTop);
  svg.text({chart_width() - 4, kBoxPlotTop - 5}, "median", Anchor::end);
  double top = kBoxPlotTop;
  for (std::size_t key = 0; key < chart.groups.size(); ++key) {
    const BoxGroup& group = chart.groups[key];
    svg.open(std::to_string(key));
    if (several) {
      svg.text({scale.from - 8, top + 14}, fitted(group.name, scale.from - 12), Anchor::end,
               group.color, 12);
      top += kBoxPlotHead;
    }
    for (const BoxRow& row : group.rows) {
      svg.open_tip(tip_of(group, row, several));
      draw_row(svg, group, row, top + pitch / 2, pitch);
      svg.close();
      top += pitch;
    }
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart

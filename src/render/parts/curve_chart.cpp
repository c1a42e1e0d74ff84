#include "render/parts/curve_chart.h"

#include "chart/curve_lines.h"
#include "render/parts/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

std::optional<Chart> curve_chart(const std::string& caption, std::vector<CurvePart> parts) {
  if (std::none_of(parts.begin(), parts.end(),
                   [](const CurvePart& part) { return part.curve->values.size() > 1; }))
    return std::nullopt;
  const std::size_t all = parts.size();
  if (all > chart::kSeries) parts.resize(chart::kSeries);
  chart::CurveChart drawing;
  std::vector<LegendEntry> legend;
  for (const CurvePart& part : parts) {
    chart::CurveLine line{part.name, {}, part.curve->values};
    line.steps.assign(part.curve->steps.begin(), part.curve->steps.end());
    legend.push_back(
        {std::to_string(drawing.lines.size()), part.name, chart::series(drawing.lines.size())});
    drawing.lines.push_back(std::move(line));
  }
  drawing.logarithmic = chart::spans_decades(drawing.lines);
  drawing.label = caption;
  if (all > parts.size())
    drawing.label +=
        fmt::format(", {} of {} scalars", parts.size(), grouped(static_cast<std::int64_t>(all)));
  if (drawing.logarithmic) drawing.label += " (log scale)";
  return drawn_chart(
      drawing.label, [&] { return chart::draw(drawing); }, std::move(legend));
}

} // namespace debrief::render

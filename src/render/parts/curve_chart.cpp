#include "render/parts/curve_chart.h"

#include "chart/curve_lines.h"
#include "render/parts/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace debrief::render {

namespace {

constexpr double kMillisecondsPerSecond = 1000;

/// Differences to the value before it, the first to 0: short numbers where values rise evenly.
template <typename Values, typename Whole>
void add_differences(std::string& out, const Values& values, const Whole& whole) {
  std::int64_t before = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const std::int64_t value = whole(values[at]);
    // Wraps around for steps that are farther apart than the type can say; the script's sum does
    // not.
    const auto difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                                      static_cast<std::uint64_t>(before));
    if (at > 0) out += ',';
    fmt::format_to(std::back_inserter(out), "{}", difference);
    before = value;
  }
}

/// One curve as assets/src/curves/data.ts reads it. Values have six digits, as the drawing could
/// not show more.
std::string packed_curve(const CurvePart& part) {
  const result::Curve& curve = *part.curve;
  std::string out = fmt::format(R"({{"name":{},"steps":[)", nlohmann::json(part.name).dump());
  add_differences(out, curve.steps, [](std::int64_t step) { return step; });
  if (curve.seconds.size() == curve.steps.size() && !curve.seconds.empty()) {
    out += R"(],"milliseconds":[)";
    add_differences(out, curve.seconds, [](double seconds) {
      return static_cast<std::int64_t>(std::llround(seconds * kMillisecondsPerSecond));
    });
  }
  out += R"(],"values":[)";
  for (std::size_t at = 0; at < curve.values.size(); ++at) {
    if (at > 0) out += ',';
    const std::optional<double>& value = curve.values[at];
    out += value && std::isfinite(*value) ? fmt::format("{:.6g}", *value) : "null";
  }
  return out + "]}";
}

std::string packed_curves(const std::vector<CurvePart>& parts, bool logarithmic) {
  std::string out = fmt::format(R"({{"log":{},"curves":[)", logarithmic);
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (at > 0) out += ',';
    out += packed_curve(parts[at]);
  }
  return out + "]}";
}

} // namespace

Chart small_curve_chart(const std::string& caption, std::vector<CurvePart> parts,
                        std::string group) {
  const chart::Small small;
  const bool has_own_name = parts.size() == 1;
  Chart out = *curve_chart(caption, std::move(parts));
  if (has_own_name) out.legend.clear(); // the caption has it
  out.group = std::move(group);
  return out;
}

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
  Chart out = drawn_chart(
      drawing.label, [&] { return chart::draw(drawing); }, std::move(legend));
  out.curves = packed_curves(parts, drawing.logarithmic);
  return out;
}

} // namespace debrief::render

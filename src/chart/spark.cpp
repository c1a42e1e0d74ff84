#include "chart/spark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace debrief::chart {

namespace {

constexpr double kSparkWidth = 120;
constexpr double kSparkBar = 12;  ///< height, in pixels
constexpr double kSparkArea = 22; ///< height, in pixels
constexpr std::size_t kSparkColumns = 60;

std::string begin_spark(const std::string& label, double height) {
  return fmt::format(R"(<svg class="spark" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
                     R"(role="img" aria-label="{2}">)",
                     number(kSparkWidth), number(height), escaped(label));
}

std::string spark_rect(double x, double width, double height, const Color& color) {
  return fmt::format(R"(<rect x="{}" width="{}" height="{}" fill="{}" class="f {}"/>)", number(x),
                     number(width), number(height), color.light, color.name);
}

/// The mean of each of at most kSparkColumns stretches of neighbors.
std::vector<double> thinned(const std::vector<double>& values) {
  const std::size_t count = std::min(values.size(), kSparkColumns);
  std::vector<double> out;
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t from = at * values.size() / count;
    const std::size_t to = (at + 1) * values.size() / count;
    double sum = 0;
    for (std::size_t value = from; value < to; ++value)
      sum += values[value];
    out.push_back(sum / static_cast<double>(to - from));
  }
  return out;
}

} // namespace

std::string spark_bar(const std::string& label, const std::vector<StripPart>& parts) {
  std::string out = begin_spark(label, kSparkBar);
  double before = 0;
  for (const StripPart& part : parts) {
    if (!(part.share > 0)) continue;
    fmt::format_to(
        std::back_inserter(out), "<g><title>{}</title>{}</g>", escaped(part.name),
        spark_rect(before * kSparkWidth, part.share * kSparkWidth, kSparkBar, part.color));
    before += part.share;
  }
  return out + "</svg>";
}

std::string spark_area(const std::string& label, const std::vector<double>& shares,
                       const Color& color) {
  const std::vector<double> columns = thinned(shares);
  if (columns.empty()) return "";
  const double width = kSparkWidth / static_cast<double>(columns.size());
  Path path;
  path.move(0, kSparkArea);
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const double y = kSparkArea * (1 - std::clamp(columns[at], 0.0, 1.0));
    path.line(static_cast<double>(at) * width, y);
    path.line(static_cast<double>(at + 1) * width, y);
  }
  path.line(kSparkWidth, kSparkArea);
  path.close();
  return fmt::format(R"({}<line x2="{}" y1="{}" y2="{}" stroke="{}" class="l {}"/>)"
                     R"(<path d="{}" fill="{}" class="f {}"/></svg>)",
                     begin_spark(label, kSparkArea), number(kSparkWidth), number(kSparkArea - 0.5),
                     number(kSparkArea - 0.5), kGrid.light, kGrid.name, path.text(), color.light,
                     color.name);
}

std::string margin_bar(const std::string& label, double value, double bound, const Color& color) {
  const double most = std::max({value, bound, 1e-300}) * 1.08;
  const double at = bound / most * kSparkWidth;
  return fmt::format(
      R"({}{}{}<line x1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="2" class="l {}"/></svg>)",
      begin_spark(label, kSparkBar), spark_rect(0, kSparkWidth, kSparkBar, kGrid),
      spark_rect(0, std::max(0.0, value) / most * kSparkWidth, kSparkBar, color), number(at),
      number(at), number(kSparkBar), kInk.light, kInk.name);
}

std::string dumbbell(const std::string& label, double before, double after, const Color& color) {
  // A dot at either end stays within the drawing.
  const double most = std::max({before, after, 1e-300});
  const auto place = [&](double value) {
    return fmt::format("{}%", number(2 + 95 * std::clamp(value / most, 0.0, 1.0)));
  };
  return fmt::format(
      R"(<svg class="fluid" width="100%" height="18" role="img" aria-label="{0}">)"
      R"(<line x1="2%" x2="97%" y1="9" y2="9" stroke="{5}" class="l {6}"/>)"
      R"(<line x1="{1}" x2="{2}" y1="9" y2="9" stroke="{3}" stroke-width="3" class="l {4}"/>)"
      R"(<circle cx="{1}" cy="9" r="5" fill="{7}" class="f {8}"/>)"
      R"(<circle cx="{1}" cy="9" r="5" fill="none" stroke="{3}" stroke-width="2" class="l {4}"/>)"
      R"(<circle cx="{2}" cy="9" r="6" fill="{3}" class="f {4}"/></svg>)",
      escaped(label), place(before), place(after), color.light, color.name, kGrid.light, kGrid.name,
      kPaper.light, kPaper.name);
}

} // namespace debrief::chart

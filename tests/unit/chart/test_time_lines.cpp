#include "chart/paths.h"
#include "chart/time_lines.h"
#include "util/sample_times.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

namespace test_time_lines {

using namespace debrief;
using namespace debrief::chart;
using debrief::chart::Column; // not util's, where both are known

namespace {

constexpr Microseconds kStart = 1'737'457'754 * kSecond;
constexpr double kMiddle = kPanelLeft + kPlotWidth / 2;

ValueAxis percent_axis() {
  return {100, percent_ticks()};
}

Column sample(Microseconds after, float value, bool after_gap = false) {
  const Microseconds time = kStart + after;
  return {0, time, time, static_cast<double>(time), value, value, value, after_gap};
}

TimePanel minute() {
  return {"a minute", {kStart, kStart + kMinute}};
}

} // namespace

TEST_CASE("A sample at the middle of the span lies at the middle of the plot") {
  const std::vector<Column> columns = {sample(0, 0, true), sample(kMinute / 2, 50),
                                       sample(kMinute, 100)};
  const auto svg = time_lines(minute(), percent_axis(), {{"", columns, false}});
  const auto parts = parts_of(paths_of(svg, "l c-s0").at(0));
  REQUIRE(parts.size() == 1);
  REQUIRE(parts[0].size() == 3);
  CHECK(parts[0][0].x == kPanelLeft);
  CHECK(parts[0][1].x == kMiddle);
  CHECK(parts[0][2].x == kPanelLeft + kPlotWidth);
  CHECK(parts[0][1].y == (parts[0][0].y + parts[0][2].y) / 2);
  CHECK(parts[0][2].y < parts[0][0].y);
}

TEST_CASE("A gap makes two parts, and a sample alone can be seen") {
  const std::vector<Column> columns = {sample(0, 10, true), sample(kSecond, 10),
                                       sample(kMinute / 2, 10, true)};
  const auto svg = time_lines(minute(), percent_axis(), {{"", columns, true}});
  const auto parts = parts_of(paths_of(svg, "l c-s0").at(0));
  REQUIRE(parts.size() == 2);
  REQUIRE(parts[1].size() == 2);
  CHECK(parts[1][1].x - parts[1][0].x == 3);
  CHECK(parts[1][1].x + parts[1][0].x == 2 * kMiddle);
  CHECK(parts_of(paths_of(svg, "f c-pale").at(0)).size() == 2);
}

TEST_CASE("The band covers every sample") {
  std::vector<Microseconds> times;
  std::vector<float> values;
  for (int at = 0; at < 5000; ++at) {
    times.push_back(kStart + at * kMinute / 5000);
    values.push_back(static_cast<float>(50 + 49 * std::sin(at * at)));
  }
  const TimePanel panel = minute();
  const auto columns =
      reduce({times, values, {}, {}}, grid_for(panel.span, usual_interval(times), 400));
  const auto svg = time_lines(panel, percent_axis(), {{"", columns, true}});
  const auto band = parts_of(paths_of(svg, "f c-pale").at(0));
  REQUIRE(band.size() == 1);
  // The upper edge runs to the right, the lower edge back.
  const Scale x = time_scale(panel.span);
  const Scale y{0, 100, 102, 6};
  std::size_t outside = 0;
  for (std::size_t at = 0; at < times.size(); ++at) {
    const Point point{x(static_cast<double>(times[at])), y(static_cast<double>(values[at]))};
    double top = 1000;
    double bottom = -1;
    for (std::size_t edge = 1; edge < band[0].size(); ++edge) {
      const Point a = band[0][edge - 1];
      const Point b = band[0][edge];
      if (point.x < std::min(a.x, b.x) - 0.06 || point.x > std::max(a.x, b.x) + 0.06) continue;
      top = std::min({top, a.y, b.y});
      bottom = std::max({bottom, a.y, b.y});
    }
    if (point.y < top - 0.06 || point.y > bottom + 0.06) ++outside;
  }
  CHECK(outside == 0);
}

TEST_CASE("Lines can be told apart without colors, and their names do not lie upon each other") {
  std::vector<TimeLine> lines;
  for (int at = 0; at < 8; ++at)
    lines.push_back(
        {"node-" + std::to_string(at), {sample(0, 1, true), sample(kMinute, 1)}, false});
  const auto svg = time_lines(minute(), percent_axis(), lines);
  CHECK(count_in(svg, "<g data-key=") == 8);
  CHECK(count_in(svg, "stroke-dasharray") == 2);
  std::vector<double> heights;
  for (int at = 0; at < 8; ++at) {
    const std::string name = ">node-" + std::to_string(at) + "<";
    const std::size_t element = svg.rfind("<text", svg.find(name));
    REQUIRE(element != svg.npos);
    heights.push_back(std::stod(quoted(svg, svg.find("y=\"", element) + 3)));
  }
  std::sort(heights.begin(), heights.end());
  for (std::size_t at = 1; at < heights.size(); ++at)
    CHECK(heights[at] - heights[at - 1] >= 11);
}

TEST_CASE("A moment as a span does not divide by zero") {
  const TimePanel panel{"", {kStart, kStart}};
  const auto svg = time_lines(panel, percent_axis(), {{"a", {sample(0, 5, true)}, true}});
  CHECK(svg.find("nan") == svg.npos);
  CHECK(svg.find("inf") == svg.npos);
}

TEST_CASE("A long name is cut at its beginning: names differ at their ends") {
  CHECK(fitted_end("algo-1-27", 100) == "algo-1-27");
  const std::string cut = fitted_end(std::string(10'000, 'n') + "-27", 60);
  CHECK(cut.starts_with("…n"));
  CHECK(cut.ends_with("n-27"));
  CHECK(cut.size() < 20);
  CHECK(fitted_end("ノード", 1) == "…");
}

} // namespace test_time_lines

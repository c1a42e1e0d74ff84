#include "chart/paths.h"
#include "chart/time_dots.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

namespace test_time_dots {

using namespace debrief;
using namespace debrief::chart;

namespace {

constexpr Microseconds kStart = 1'737'457'754 * kSecond;
const TimePanel kPanel{"steps", {kStart, kStart + kMinute}};

std::vector<Dot> dots(std::size_t count, Microseconds duration) {
  std::vector<Dot> out;
  for (std::size_t at = 0; at < count; ++at)
    out.push_back(
        {kStart + static_cast<Microseconds>(at) * kMinute / static_cast<Microseconds>(count),
         duration});
  return out;
}

std::string draw(const std::vector<DotSeries>& all) {
  const double high = dots_ceiling(all);
  return time_dots(kPanel, {high, duration_ticks(0, high, 4)}, all);
}

double middle_x(const Points& part) {
  double sum = 0;
  for (const Point& point : part)
    sum += point.x;
  return sum / static_cast<double>(part.size());
}

} // namespace

TEST_CASE("Few durations are a mark each, where and as high as they belong") {
  const std::vector<DotSeries> all = {
      {"", {{kStart, 100'000}, {kStart + kMinute / 2, 200'000}, {kStart + kMinute, 100'000}}, {}}};
  const auto parts = parts_of(paths_of(draw(all), "f c-s0").at(0));
  REQUIRE(parts.size() == 3);
  CHECK(std::abs(middle_x(parts[0]) - kPanelLeft) < 0.1);
  CHECK(std::abs(middle_x(parts[1]) - kPanelLeft - kPlotWidth / 2) < 0.1);
  CHECK(parts[1][0].y < parts[0][0].y);
  CHECK(parts[2][0].y == parts[0][0].y);
}

TEST_CASE("Many durations are bars, and the drawing stays small") {
  DotSeries many{"", dots(1'000'000, 50'000), {}};
  many.usual[500'001].duration = 90'000;
  for (int at = 0; at < 200; ++at)
    many.outlying.push_back({{kStart + at * 300'000, 150'000}, "Step 123456 of algo-1-27, TRAIN"});
  const auto svg = draw({many});
  CHECK(svg.size() < 60'000);
  const auto bars = parts_of(paths_of(svg, "f c-s0").at(0));
  CHECK(bars.size() == 430);
  double tallest = 0;
  double where = 0;
  for (const Points& bar : bars)
    if (bar[2].y - bar[0].y > tallest) {
      tallest = bar[2].y - bar[0].y;
      where = middle_x(bar);
    }
  CHECK(tallest > 10);
  CHECK(std::abs(where - kPanelLeft - kPlotWidth / 2) < 3);
}

TEST_CASE("Every outlying one is drawn, as another shape, with a tip") {
  DotSeries series{"", dots(2000, 50'000), {}};
  for (int at = 0; at < 200; ++at)
    series.outlying.push_back({{kStart + at, 5 * kSecond}, "tip"});
  const auto svg = draw({series});
  const auto triangles = paths_of(svg, "f c-ink");
  CHECK(triangles.size() == 200);
  CHECK(parts_of(triangles[0])[0].size() == 3);
  CHECK(count_in(svg, "<title>tip</title>") == 200);
}

TEST_CASE("A few extremes do not flatten the others, and lie on the upper edge as triangles") {
  for (const std::size_t count : {100U, 5000U}) {
    DotSeries series{"", dots(count, 50'000), {}};
    series.usual[0].duration = 100 * kSecond;
    CHECK(dots_ceiling({series}) < 0.25);
    std::size_t triangles = 0;
    for (const std::string& path : paths_of(draw({series}), "f c-s0"))
      for (const Points& part : parts_of(path))
        if (part.size() == 3) ++triangles;
    CHECK(triangles == 1);
  }
}

TEST_CASE("Of several long series each has its means as a line, and one alone can be seen") {
  DotSeries early{"a", dots(5000, 50'000), {}};
  std::erase_if(early.usual, [](const Dot& dot) {
    return dot.start > kStart + kMinute / 4 && dot.start < kStart + 3 * kMinute / 4;
  });
  early.usual.push_back({kStart + kMinute / 2, 100'000});
  const auto svg = draw({early, {"b", dots(5000, 80'000), {}}});
  const auto lines = parts_of(paths_of(svg, "l c-s0").at(0));
  REQUIRE(lines.size() == 3);
  CHECK(std::abs(middle_x(lines[1]) - kPanelLeft - kPlotWidth / 2) < 2);
  CHECK(lines[1].back().x > lines[1].front().x);
  CHECK(lines[1].front().y < lines[0].front().y);
  CHECK(parts_of(paths_of(svg, "l c-s1").at(0)).size() == 1);
  CHECK(count_in(svg, "fill-opacity") == 2);
}

TEST_CASE("Series differ by shape, and are named") {
  const auto svg = draw({{"TRAIN", dots(3, 100), {}}, {"<b>", dots(3, 100), {}}});
  CHECK(count_in(svg, "<g data-key=") == 2);
  CHECK(svg.find(">TRAIN<") != svg.npos);
  CHECK(svg.find("&lt;b&gt;") != svg.npos);
  const auto a = parts_of(paths_of(svg, "f c-s0").at(0))[0];
  const auto b = parts_of(paths_of(svg, "f c-s1").at(0))[0];
  CHECK(a[0].x != b[0].x); // a square begins at its corner, a diamond at its tip
}

TEST_CASE("Durations of nothing, and none at all") {
  CHECK(dots_ceiling({}) == 1);
  CHECK(draw({{"", {{kStart, 0}}, {}}}).find("nan") == std::string::npos);
  CHECK(draw({{"", {}, {}}}).find("<path") == std::string::npos);
}

} // namespace test_time_dots

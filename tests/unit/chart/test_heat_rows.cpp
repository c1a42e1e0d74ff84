#include "chart/heat.h"
#include "chart/paths.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <random>

namespace test_heat_rows {

using namespace debrief;
using namespace debrief::chart;

namespace {

constexpr float kBlank = std::numeric_limits<float>::quiet_NaN();
const TimePanel kPanel{"heat", {0, kMinute}};

} // namespace

TEST_CASE("Cells of one level are one line, from where they begin to where they end") {
  const auto svg = heat_rows(kPanel, {{"gpu0", {100, 100, 0, 0, kBlank, 100, 3, 3}, false}});
  const auto high = parts_of(paths_of(svg, "l c-h8").at(0));
  REQUIRE(high.size() == 2);
  CHECK(high[0][0].x == kPanelLeft);
  CHECK(high[0][1].x == kPanelLeft + kPlotWidth / 4);
  const auto low = parts_of(paths_of(svg, "l c-h0").at(0));
  REQUIRE(low.size() == 2);
  CHECK(low[0][1].x == kPanelLeft + kPlotWidth / 2); // blank from here on
  CHECK(high[1][0].x == kPanelLeft + kPlotWidth * 5 / 8);
  CHECK(low[1][1].x == kPanelLeft + kPlotWidth);
  CHECK(svg.find(">gpu0<") != svg.npos);
  CHECK(svg.find(">100%<") != svg.npos);
  CHECK(svg.find(">0%<") != svg.npos);
}

TEST_CASE("Rows do not overlap, and kinds of devices are apart") {
  const auto svg = heat_rows(kPanel, {{"a", {50}, true}, {"b", {50}, false}, {"c", {50}, true}});
  const auto lines = parts_of(paths_of(svg, "l c-h4").at(0));
  REQUIRE(lines.size() == 3);
  const double thick =
      std::stod(quoted(svg, svg.find("stroke-width=\"", svg.find("l c-h4") - 120) + 14));
  CHECK(lines[1][0].y - lines[0][0].y >= thick);
  CHECK(lines[2][0].y - lines[1][0].y > lines[1][0].y - lines[0][0].y);
}

TEST_CASE("The worst case stays small, and its names do not lie upon each other") {
  std::mt19937 random(1);
  std::vector<HeatRow> rows;
  for (std::size_t row = 0; row < kMaxHeatRows; ++row) {
    rows.push_back({"algo-1 cpu" + std::to_string(row), {}, row == 8});
    for (std::size_t at = 0; at < heat_columns(kMaxHeatRows); ++at)
      rows.back().percents.push_back(static_cast<float>(random() % 101));
  }
  const auto svg = heat_rows(kPanel, rows);
  CHECK(svg.size() < 150'000);
  CHECK(svg.size() > 50'000);
  CHECK(count_in(svg, "algo-1 cpu") < 40);
}

TEST_CASE("Nothing at all is drawn as nothing") {
  CHECK(heat_rows(kPanel, {}).find("nan") == std::string::npos);
  CHECK(paths_of(heat_rows(kPanel, {{"<a>", {kBlank}, false}}), "l c-h0").empty());
  CHECK(heat_rows(kPanel, {{"<a>", {kBlank}, false}}).find("&lt;a&gt;") != std::string::npos);
}

} // namespace test_heat_rows

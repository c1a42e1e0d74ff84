#include "chart/bars.h"
#include "chart/drawing.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace test_paired_bars {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;

namespace {

PairedChart one_pair() {
  return {"activity",
          "during outliers",
          "otherwise",
          {{"Phase", {{"TRAIN", 100, 80}}}, {"CPU operator", {{"aten::mm", 20, std::nullopt}}}}};
}

} // namespace

TEST_CASE("Bars of a pair are on one scale, one below the other, each with its key") {
  const std::string svg = draw(one_pair());
  const auto first = rectangles(svg, "c-s1");
  const auto second = rectangles(svg, "c-rest");
  REQUIRE(first.size() == 2);
  REQUIRE(second.size() == 1);
  CHECK(second[0].at("width") == Approx(0.8 * first[0].at("width")));
  CHECK(first[1].at("width") == Approx(0.2 * first[0].at("width")));
  CHECK(second[0].at("y") == first[0].at("y") + first[0].at("height"));
  CHECK(first[0].key == "0");
  CHECK(second[0].key == "1");
  CHECK(first[0].tip == "TRAIN, during outliers: 100.0%");
  CHECK(second[0].tip == "TRAIN, otherwise: 80.0%");
}

TEST_CASE("What is not recorded is said, not drawn as zero") {
  const auto words = texts(draw(one_pair()));
  CHECK(std::count(words.begin(), words.end(), "not recorded") == 1);
}

TEST_CASE("Shares above 100 stay on the drawing, and none at all does not divide by zero") {
  PairedChart chart = one_pair();
  chart.groups[0].rows[0].first = 1730;
  for (const Element& bar : rectangles(draw(chart), "c-s1"))
    CHECK(bar.at("x") + bar.at("width") < kChartWidth);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  chart.groups = {{"Phase", {{"TRAIN", 0, 0}, {"EVAL", nan, nan}}}};
  for (const Element& bar : rectangles(draw(chart), "c-s1"))
    CHECK(bar.at("width") == 0);
  CHECK(elements(draw(PairedChart{})).size() > 0);
}

TEST_CASE("Names of any length leave paired bars small") {
  PairedChart chart = one_pair();
  chart.groups[0].name = chart.groups[0].rows[0].name = std::string(10'000, 'k');
  CHECK(draw(chart).size() < 5000);
}

} // namespace test_paired_bars

#include "chart/bars.h"
#include "chart/drawing.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>

namespace test_share_bar {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;

namespace {

ShareChart three_parts() {
  return {"where time went",
          {{"TRAIN", series(0)}, {"EVAL", series(1)}, {"others", series(2)}},
          {{"", {{0, 30, "30 s"}, {1, 9, "9 s"}, {2, 1, ""}}}}};
}

} // namespace

TEST_CASE("Parts lie end to end and fill the bar in proportion") {
  const std::string svg = draw(three_parts());
  const auto train = rectangles(svg, "c-s0");
  const auto eval = rectangles(svg, "c-s1");
  const auto others = rectangles(svg, "c-s2");
  REQUIRE((train.size() == 1 && eval.size() == 1 && others.size() == 1));
  CHECK(train[0].at("x") == 0);
  CHECK(train[0].at("width") == Approx(kChartWidth * 0.75));
  CHECK(eval[0].at("x") == Approx(train[0].at("width")));
  CHECK(train[0].at("width") + eval[0].at("width") + others[0].at("width") == Approx(kChartWidth));
}

TEST_CASE("A part tells its share and time, and is in its legend's group") {
  const auto eval = rectangles(draw(three_parts()), "c-s1").at(0);
  CHECK(eval.tip == "EVAL: 22.5%, 9 s");
  CHECK(eval.key == "1");
  CHECK(rectangles(draw(three_parts()), "c-s2").at(0).tip == "others: 2.5%");
}

TEST_CASE("Words stand in a part only where they fit") {
  ShareChart chart = three_parts();
  CHECK(texts(draw(chart)) == std::vector<std::string>{"TRAIN 75.0%", "EVAL 22.5%"});
  chart.kinds[1].name = std::string(10'000, 'n');
  const std::string svg = draw(chart);
  CHECK(svg.size() < 2000);
  CHECK(texts(svg).at(1).find("n… 22.5%") != std::string::npos);
}

TEST_CASE("One bar per process lies below the other, named, over one axis") {
  ShareChart chart = three_parts();
  chart.bars.push_back({"algo-2", {{0, 1, ""}}});
  chart.bars[0].name = "algo-1";
  const auto train = rectangles(draw(chart), "c-s0");
  REQUIRE(train.size() == 2);
  CHECK(train[0].at("x") == train[1].at("x"));
  CHECK(train[1].at("y") > train[0].at("y") + train[0].at("height"));
  CHECK(train[0].at("width") == Approx(0.75 * train[1].at("width")));
  CHECK(train[1].tip == "algo-2, TRAIN: 100.0%");
  CHECK(texts(draw(chart)).front() == "0");
}

TEST_CASE("What has no size is not drawn, and a whole of nothing says so") {
  ShareChart chart = three_parts();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  chart.bars[0].parts = {{0, 0, ""}, {1, nan, ""}, {2, -3, ""}};
  const std::string svg = draw(chart);
  CHECK(rectangles(svg, "c-s0").empty());
  REQUIRE(rectangles(svg, "c-grid").size() == 1);
  CHECK(rectangles(svg, "c-grid")[0].tip == ": nothing");
  CHECK(draw(ShareChart{"nothing", {}, {}}).find("nan") == std::string::npos);
}

} // namespace test_share_bar

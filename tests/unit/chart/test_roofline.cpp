#include "chart/drawing.h"
#include "chart/roofline.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace test_roofline {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;

namespace {

RooflineChart example() {
  RooflineChart chart;
  chart.label = "roofline";
  chart.kinds = {series(0), series(1)};
  chart.points = {{100, 50, 0.5, 0, "a product"}, {0.1, 0.2, 0.01, 1, "an addition"}};
  chart.peaks = {{"bf16", 1000}, {"fp32", 100}};
  chart.tb_per_second = 2;
  return chart;
}

std::vector<Element> of_name(const std::string& svg, const std::string& name) {
  std::vector<Element> out;
  for (const Element& element : elements(svg))
    if (element.name == name) out.push_back(element);
  return out;
}

} // namespace

TEST_CASE("points lie by the logarithms of their numbers, in their kind's part of the legend") {
  RooflineChart chart = example();
  chart.points = {{1, 1, 0.1, 0, "first"}, {10, 10, 0.1, 0, "second"}, {100, 100, 0.1, 1, "third"}};
  const auto dots = of_name(draw(chart), "circle");
  REQUIRE(dots.size() == 3);
  CHECK(dots[2].at("cx") - dots[1].at("cx") ==
        Approx(dots[1].at("cx") - dots[0].at("cx")).margin(0.1));
  CHECK(dots[2].at("cy") < dots[1].at("cy"));
  CHECK(dots[0].tip == "first");
  CHECK(dots[0].key == "0");
  CHECK(dots[2].key == "1");
}

TEST_CASE("more time is a larger dot, within bounds") {
  RooflineChart chart = example();
  chart.points = {{1, 1, 0, 0, ""}, {1, 1, 0.05, 0, ""}, {1, 1, 1, 0, ""}};
  auto dots = of_name(draw(chart), "circle");
  REQUIRE(dots.size() == 3); // the largest is drawn first
  CHECK(dots[0].at("r") > dots[1].at("r"));
  CHECK(dots[1].at("r") > dots[2].at("r"));
  CHECK(dots[2].at("r") >= 3);
  CHECK(dots[0].at("r") <= 15);
}

TEST_CASE("each peak is a level line that begins where the memory's slope reaches it") {
  const std::string svg = draw(example());
  std::vector<Element> roofs;
  for (const Element& line : of_name(svg, "line"))
    if (line.has_class("c-quiet")) roofs.push_back(line);
  REQUIRE(roofs.size() == 3); // two peaks, one slope
  CHECK(roofs[0].at("y1") == roofs[0].at("y2"));
  CHECK(roofs[1].at("y1") == roofs[1].at("y2"));
  CHECK(roofs[0].at("y1") < roofs[1].at("y1")); // 1000 above 100
  CHECK(roofs[0].at("x1") > roofs[1].at("x1"));
  CHECK(roofs[2].at("x2") == Approx(roofs[0].at("x1")).margin(0.02)); // the slope ends there
  CHECK(roofs[2].at("y2") == Approx(roofs[0].at("y1")).margin(0.02));
  const auto words = texts(svg);
  CHECK(std::count(words.begin(), words.end(), "bf16 1000 TFLOP/s") == 1);
  CHECK(std::count(words.begin(), words.end(), "memory 2 TB/s") == 1);
}

TEST_CASE("without peaks there are points alone") {
  RooflineChart chart = example();
  chart.peaks.clear();
  chart.tb_per_second.reset();
  const std::string svg = draw(chart);
  CHECK(of_name(svg, "circle").size() == 2);
  for (const Element& line : of_name(svg, "line"))
    CHECK_FALSE(line.has_class("c-quiet"));
}

TEST_CASE("numbers that such scales have no place for are left out") {
  RooflineChart chart = example();
  chart.peaks.clear();
  chart.points = {{0, 1, 1, 0, ""}, {1, 0, 1, 0, ""}, {NAN, 1, 1, 0, ""}, {1, INFINITY, 1, 0, ""}};
  CHECK(of_name(draw(chart), "circle").empty());
  chart.points.push_back({1e-30, 1e30, 1, 0, "far"});
  const auto dots = of_name(draw(chart), "circle");
  REQUIRE(dots.size() == 1);
  CHECK(std::isfinite(dots[0].at("cx")));
}

} // namespace test_roofline

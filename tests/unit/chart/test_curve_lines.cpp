#include "chart/curve_lines.h"
#include "chart/drawing.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace test_curve_lines {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;

namespace {

std::vector<Element> marks(const std::string& svg, const std::string& name,
                           const std::string& key = "0") {
  std::vector<Element> out;
  for (const Element& element : elements(svg))
    if (element.name == name && element.key == key) out.push_back(element);
  return out;
}

std::vector<std::string> texts(const std::string& svg) {
  std::vector<std::string> out;
  for (const Element& element : elements(svg))
    if (element.name == "text") out.push_back(element.text);
  return out;
}

bool has_text(const std::string& svg, const std::string& text) {
  const auto all = texts(svg);
  return std::find(all.begin(), all.end(), text) != all.end();
}

} // namespace

TEST_CASE("points of a curve lie by their steps and values") {
  const auto dots =
      marks(draw({"loss", {{"loss", {0, 50, 100}, {4.0, 3.0, 2.0}}}, false}), "circle");
  REQUIRE(dots.size() == 3);
  CHECK(dots[2].at("cx") - dots[1].at("cx") == Approx(dots[1].at("cx") - dots[0].at("cx")));
  CHECK(dots[2].at("cy") - dots[1].at("cy") == Approx(dots[1].at("cy") - dots[0].at("cy")));
  CHECK(dots[2].at("cy") > dots[0].at("cy")); // lower values lie lower
}

TEST_CASE("a decade is as high as the next on a logarithmic axis") {
  const CurveChart chart{"norm", {{"norm", {0, 1, 2}, {0.01, 1.0, 100.0}}}, true};
  const auto dots = marks(draw(chart), "circle");
  REQUIRE(dots.size() == 3);
  CHECK(dots[2].at("cy") - dots[1].at("cy") ==
        Approx(dots[1].at("cy") - dots[0].at("cy")).margin(0.1));
  CHECK(has_text(draw(chart), "0.01"));
  CHECK(has_text(draw(chart), "100"));
}

TEST_CASE("an axis is logarithmic from a factor of a thousand on, and above 0 only") {
  CHECK(spans_decades({{"a", {0, 1}, {0.001, 1.1}}}));
  CHECK_FALSE(spans_decades({{"a", {0, 1}, {0.001, 0.9}}}));
  CHECK_FALSE(spans_decades({{"a", {0, 1}, {0.0, 5000.0}}}));
  CHECK_FALSE(spans_decades({{"a", {0, 1}, {std::nullopt, std::nullopt}}}));
}

TEST_CASE("what is not finite is a gap, with a mark where it begins") {
  const std::string svg =
      draw({"loss",
            {{"loss", {0, 1, 2, 3, 4, 5}, {3.0, 2.0, std::nullopt, std::nullopt, 2.0, 1.0}}},
            false});
  const auto paths = marks(svg, "path");
  REQUIRE(paths.size() == 2); // the line in two parts, and the mark
  const std::string line = paths[0].attributes.at("d");
  CHECK(std::count_if(line.begin(), line.end(), [](char c) { return c == 'M' || c == 'm'; }) == 2);
  CHECK(paths[1].has_class("c-alarm"));
  CHECK(paths[1].tip == "loss: NaN or infinite from here");
  const auto dashed = marks(svg, "line");
  REQUIRE(dashed.size() == 1);
  CHECK(dashed[0].at("x1") > marks(svg, "circle")[1].at("cx"));
  CHECK(dashed[0].at("x1") < marks(svg, "circle")[2].at("cx"));
}

TEST_CASE("small values have ticks that can be told apart") {
  const std::string svg = draw({"rate", {{"lr", {0, 1}, {0.0, 3e-5}}}, false});
  CHECK(has_text(svg, "1e-5"));
  CHECK(has_text(svg, "3e-5"));
  CHECK(has_text(svg, "0"));
  CHECK(has_text(draw({"loss", {{"loss", {0, 2'000'000}, {1.95, 2.0}}}, false}), "1.96"));
  CHECK(has_text(draw({"loss", {{"loss", {0, 2'000'000}, {1.95, 2.0}}}, false}), "2,000,000"));
}

TEST_CASE("values that no axis holds are drawn all the same") {
  for (const auto& values : std::vector<std::vector<std::optional<double>>>{
           {1.7e308, -1.7e308}, {5.0, 5.0}, {0.0, 0.0}, {std::nullopt, std::nullopt}, {}}) {
    const std::string svg =
        draw({"any", {{"any", {-9.2e18, 9.2e18}, values}, {"none", {}, {}}}, true});
    for (const char* number : {"\"nan", "\"inf", ">nan", ">inf", ">-inf"})
      CHECK(svg.find(number) == svg.npos);
    CHECK(svg.ends_with("</svg>"));
  }
}

} // namespace test_curve_lines

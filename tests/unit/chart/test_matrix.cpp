#include "chart/drawing.h"
#include "chart/heat.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace test_matrix {

using namespace debrief;
using namespace debrief::chart;

namespace {

MatrixChart of_names(std::vector<std::string> names) {
  MatrixChart chart{"distances", std::move(names), {}, 0.8};
  for (std::size_t row = 0; row < chart.names.size(); ++row)
    chart.values.emplace_back(row, 0.1);
  return chart;
}

std::vector<Element> cells(const std::string& svg) {
  std::vector<Element> out;
  for (const Element& element : elements(svg))
    if (element.name == "rect" && !element.tip.empty()) out.push_back(element);
  return out;
}

} // namespace

TEST_CASE("Each pair has one cell, in the row of one and the column of the other") {
  MatrixChart chart = of_names({"gpu0", "gpu1", "gpu2"});
  chart.values[2][1] = 0.8;
  const std::string svg = draw(chart);
  const auto found = cells(svg);
  REQUIRE(found.size() == 3);
  CHECK(found[0].tip == "gpu1, gpu0: 0.100");
  CHECK(found[2].tip == "gpu2, gpu1: 0.800");
  CHECK(found[1].at("x") == found[0].at("x"));
  CHECK(found[2].at("x") > found[1].at("x"));
  CHECK(found[2].at("y") == found[1].at("y"));
  CHECK(found[0].has_class("c-h1"));
  CHECK(found[2].has_class("c-h8"));
  const auto words = texts(svg);
  CHECK(std::count(words.begin(), words.end(), "0.800") == 2); // the cell, and the scale's end
}

TEST_CASE("A distance that is not known is a cell without heat") {
  MatrixChart chart = of_names({"gpu0", "gpu1", "gpu2"});
  chart.values[1][0].reset();
  chart.values[2][0] = std::numeric_limits<double>::quiet_NaN();
  const auto found = cells(draw(chart));
  CHECK(found[0].tip == "gpu1, gpu0: not known");
  CHECK(found[0].has_class("c-grid"));
  CHECK(found[1].has_class("c-grid"));
}

TEST_CASE("A matrix fits its width, and its size, with many and with long names") {
  const std::string svg = draw(of_names(std::vector<std::string>(32, std::string(10'000, '"'))));
  const auto found = cells(svg);
  CHECK(found.size() == 32 * 31 / 2);
  for (const Element& cell : found)
    CHECK(cell.at("x") + cell.at("width") <= kChartWidth);
  CHECK(svg.size() < 700'000); // six bytes for each quotation mark
  CHECK(draw(of_names(std::vector<std::string>(32, "gpu0 of algo-1"))).size() < 90'000);
  CHECK(cells(draw(of_names({}))).empty());
}

} // namespace test_matrix

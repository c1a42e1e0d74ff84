#include "chart/roc.h"
#include "drawing.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_roc_chart {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a ROC curve goes from corner to corner, with marks on it") {
  const std::string svg = chart::draw(chart::RocChart{
      "ROC", {{0, 0}, {0.25, 0.75}, {1, 1}}, {{{0.25, 0.75}, "in use", chart::kInk}}, "AUC 0.75"});
  CHECK_THAT(svg, ContainsSubstring("AUC 0.75"));
  bool marked = false;
  for (const Element& element : elements(svg)) {
    if (element.name != "circle") continue;
    marked = true;
    CHECK(element.at("cx") == 44 + 290 * 0.25);
    CHECK(element.at("cy") == 22 + 290 * 0.25);
    CHECK(element.key == "1");
    CHECK(element.tip == "in use");
  }
  CHECK(marked);
}

} // namespace test_roc_chart

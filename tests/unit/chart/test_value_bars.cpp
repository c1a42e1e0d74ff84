#include "chart/bars.h"
#include "chart/time_lines.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>

namespace test_value_bars {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the longest bar fills the scale, and others are in proportion") {
  const std::string svg =
      chart::draw(chart::ValueBars{"bars", {{"a", 40, "40.0%", 0}, {"b", 10, "10.0%", 1}}});
  CHECK_THAT(svg, ContainsSubstring("width=\"320\"") && ContainsSubstring("width=\"80\""));
  CHECK_THAT(svg, ContainsSubstring("data-key=\"1\"") && ContainsSubstring("a: 40.0%"));
}

TEST_CASE("bars without a value are drawn as nothing, and names are escaped") {
  const std::string svg = chart::draw(chart::ValueBars{"bars", {{"<b>", NAN, "–", 0}}});
  CHECK_THAT(svg, ContainsSubstring("&lt;b&gt;") && !ContainsSubstring("nan"));
}

TEST_CASE("a line of steps keeps each value until the next moment") {
  const std::string svg =
      chart::draw(chart::StepLines{"memory", {0, 1, 2}, {{"allocated", {0, 100, 50}}}});
  // To the middle at the foot, up by 100 of 105, to the end, down by half of that.
  CHECK_THAT(svg, ContainsSubstring("M64 146h335v-133.3h335v66.6"));
  CHECK_THAT(svg, ContainsSubstring("allocated"));
  CHECK_THAT(chart::draw(chart::StepLines{"empty", {}, {{"allocated", {}}}}),
             !ContainsSubstring("nan"));
  CHECK_THAT(chart::draw(chart::StepLines{"one", {3}, {{"allocated", {5}}}}),
             !ContainsSubstring("nan"));
}

} // namespace test_value_bars

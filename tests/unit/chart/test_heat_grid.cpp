#include "chart/heat_grid.h"
#include "drawing.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fmt/format.h>

namespace test_heat_grid {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a grid has a cell for each value that is known, and a scale") {
  chart::HeatGrid grid;
  grid.label = "Steps of ranks";
  grid.rows = {"rank <0>", "rank 1"};
  grid.columns = {"step 1", "step 2"};
  grid.values = {{10, 20}, {std::nullopt, 30}};
  grid.words = [](double value) { return fmt::format("{} ms", value); };
  const std::string svg = chart::draw(grid);
  CHECK_THAT(svg, ContainsSubstring("rank &lt;0&gt;, step 2: 20 ms"));
  CHECK_THAT(svg, !ContainsSubstring("rank 1, step 1"));
  CHECK_THAT(svg, ContainsSubstring("30 ms") && ContainsSubstring("0 ms"));
  std::size_t cells = 0;
  for (const Element& element : elements(svg))
    if (element.name == "rect" && element.at("x") >= 150 && element.at("x") < 300) ++cells;
  CHECK(cells == 3);
}

} // namespace test_heat_grid

#include "chart/heat.h"
#include "chart/paths.h"
#include "render/example_timeline.h"
#include "render/sections/heat_chart.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>

namespace test_heat_figure {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The heights at which cells lie: one for each row.
std::size_t rows(const std::string& svg) {
  std::set<double> heights;
  for (int level = 0; level < 9; ++level)
    for (const std::string& path : chart::paths_of(svg, "l c-h" + std::to_string(level)))
      for (const chart::Points& part : chart::parts_of(path))
        heights.insert(part[0].y);
  return heights.size();
}

} // namespace

TEST_CASE("one node has a row for each GPU and core") {
  const auto figure = render::heat_chart(example_timeline({.gpus = 4, .cores = 48}));
  REQUIRE(figure);
  CHECK(rows(figure->svg) == 52);
  CHECK_THAT(figure->svg, ContainsSubstring(">gpu0<"));
  CHECK_THAT(figure->caption, ContainsSubstring("each GPU and core"));
  CHECK_THAT(figure->caption, !ContainsSubstring("averaged"));
}

TEST_CASE("neighboring cores share a row where there are too many") {
  const auto figure = render::heat_chart(example_timeline({.gpus = 8, .cores = 192}));
  CHECK(rows(figure->svg) == 8 + 64);
  CHECK_THAT(figure->svg, ContainsSubstring(">cpu0–2<"));
  CHECK_THAT(figure->caption, ContainsSubstring("Rows average neighbors"));
}

TEST_CASE("of several nodes: all GPUs, each node's mean, and cores as far as there is room") {
  auto figure = render::heat_chart(example_timeline({.nodes = 2, .gpus = 4, .cores = 16}));
  CHECK(rows(figure->svg) == 8 + 2 + 32);
  CHECK_THAT(figure->svg, ContainsSubstring(">algo-1 gpu0<"));
  CHECK_THAT(figure->svg, ContainsSubstring(">algo-1 CPU<"));
  figure = render::heat_chart(example_timeline({.nodes = 10, .gpus = 8, .cores = 96}));
  CHECK(rows(figure->svg) == 80 + 10);
  CHECK_THAT(figure->caption, ContainsSubstring("Cores are averaged by node."));
}

TEST_CASE("however many there are, rows are at most so many") {
  for (const TimelineSize size :
       {TimelineSize{.nodes = 40, .gpus = 16, .cores = 8, .samples = 20},
        TimelineSize{.nodes = 300, .gpus = 0, .cores = 2, .samples = 20},
        TimelineSize{.nodes = 1, .gpus = 200, .cores = 300, .samples = 20},
        TimelineSize{.nodes = 1, .gpus = 0, .cores = 0, .samples = 20}}) {
    const auto figure = render::heat_chart(example_timeline(size));
    REQUIRE(figure);
    CHECK(rows(figure->svg) > 0);
    CHECK(rows(figure->svg) <= chart::kMaxHeatRows);
  }
  CHECK(!render::heat_chart({}));
}

} // namespace test_heat_figure

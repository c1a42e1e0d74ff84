#include "chart/drawing.h"
#include "chart/icicle.h"
#include "chart/meaning.h"
#include "chart/time_panel.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_icicle {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;

TEST_CASE("what is inside hangs below its caller, the widest first, within its width") {
  const Icicle chart{"operators",
                     {{"forward", color_of(Meaning::compute)}},
                     {{"forward", -1, 100, 0, "forward: 100%"},
                      {"small", 0, 20, 0, "small: 20%"},
                      {"large", 0, 60, 0, "large: 60%"},
                      {"too much", 1, 50, 0, "too much"}},
                     100};
  const auto bars = rectangles(draw(chart), "c-compute");
  REQUIRE(bars.size() == 4);
  const auto bar = [&](const std::string& tip) {
    for (const auto& one : bars)
      if (one.tip == tip) return one;
    FAIL(tip);
    return bars[0];
  };
  CHECK(bar("forward: 100%").at("width") == Approx(kPanelWidth - 1));
  CHECK(bar("large: 60%").at("x") == 0);
  CHECK(bar("small: 20%").at("x") == Approx(0.6 * kPanelWidth));
  CHECK(bar("small: 20%").at("y") == bar("large: 60%").at("y"));
  CHECK(bar("small: 20%").at("y") > bar("forward: 100%").at("y"));
  CHECK(bar("too much").at("width") == Approx(bar("small: 20%").at("width")));
  CHECK(bar("too much").at("x") == Approx(bar("small: 20%").at("x")));
}

TEST_CASE("an icicle of nothing draws nothing") {
  CHECK(rectangles(draw(Icicle{"", {{"a", color_of(Meaning::compute)}}, {{"a", -1, 0, 0, ""}}, 0}),
                   "c-compute")
            .empty());
}

} // namespace test_icicle

#include "chart/bars.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_change_bars {

using namespace debrief::chart;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("A factor to the right and its inverse to the left have bars of the same length") {
  // The scale is 480 px from 250 to 730 and ends at the largest factor, 4: half of it for each.
  const std::string svg = draw(ChangeBars{"changes",
                                          {{"up", 1, 4, "1 to 4", ChangeKind::worse},
                                           {"down", 4, 1, "4 to 1", ChangeKind::improved},
                                           {"half", 1, 2, "1 to 2", ChangeKind::worse}}});
  CHECK_THAT(svg, ContainsSubstring("x=\"490\" y=\"3\" width=\"240\""));
  CHECK_THAT(svg, ContainsSubstring("x=\"250\" y=\"23\" width=\"240\""));
  CHECK_THAT(svg, ContainsSubstring("x=\"490\" y=\"43\" width=\"120\""));
  CHECK_THAT(svg, ContainsSubstring("× 3"));
}

TEST_CASE("What comes from 0 or goes to it ends with the scale, what stays has no length") {
  const std::string svg = draw(ChangeBars{"changes",
                                          {{"from", 0, 1, "", ChangeKind::worse},
                                           {"to", 1, 0, "", ChangeKind::worse},
                                           {"same", 0, 0, "", ChangeKind::other},
                                           {"<b>", 1, 1e9, "", ChangeKind::worse}}});
  CHECK_THAT(svg, ContainsSubstring("x=\"490\" y=\"3\" width=\"240\""));
  CHECK_THAT(svg, ContainsSubstring("x=\"250\" y=\"23\" width=\"240\""));
  CHECK_THAT(svg, ContainsSubstring("y=\"43\" width=\"0.5\""));
  CHECK_THAT(svg, ContainsSubstring("x=\"490\" y=\"63\" width=\"240\""));
  CHECK_THAT(svg, !ContainsSubstring("<b>"));
}

} // namespace test_change_bars

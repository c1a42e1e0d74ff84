#include "chart/meaning.h"
#include "chart/strip.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>

namespace test_strip {

using namespace debrief::chart;
using Catch::Matchers::ContainsSubstring;
using debrief::Meaning;

TEST_CASE("A bar's parts lie side by side, in percent of whatever width there is") {
  const std::string svg = strip_bar("Where",
                                    {{"a", 0.25, color_of(Meaning::compute), "a 25%"},
                                     {"none", 0, color_of(Meaning::data), "none"},
                                     {"<b>", 0.75, color_of(Meaning::idle), "<b> 75%"}},
                                    28);
  CHECK_THAT(svg, ContainsSubstring(R"(<rect x="0%" width="25%" height="100%" fill="#0b5cad")"));
  CHECK_THAT(svg, ContainsSubstring(R"(<rect x="25%" width="75%")"));
  CHECK_THAT(svg, ContainsSubstring("&lt;b&gt; 75%</text>"));
  CHECK_THAT(svg, !ContainsSubstring("none"));
  CHECK_THAT(svg, !ContainsSubstring("viewBox"));
}

TEST_CASE(
    "Words that have no room on a phone are left to wide windows, and to nobody where none has") {
  const auto bar = [](double share) {
    return strip_bar("Where", {{"a", share, color_of(Meaning::compute), "Waiting on data 19%"}},
                     28);
  };
  CHECK_THAT(bar(0.9), ContainsSubstring("class=\"f c-paper\">Waiting"));
  CHECK_THAT(bar(0.19), ContainsSubstring("class=\"f c-paper wide\">Waiting"));
  CHECK_THAT(bar(0.05), !ContainsSubstring("<text"));
}

TEST_CASE("A ribbon stacks its parts to the top, the first at least a pixel high") {
  const std::string svg = ribbon("Causes",
                                 {{"busy", color_of(Meaning::compute), {0.001, 0, 1}},
                                  {"data", color_of(Meaning::data), {0.999, 1, 0}}},
                                 25);
  // Data is drawn first, to the top in all bins; busy over it: a pixel of 25 is 4 of 100, nothing,
  // all.
  const auto data = svg.find("#c2570c");
  const auto busy = svg.find("#0b5cad");
  REQUIRE(data != std::string::npos);
  CHECK(data < busy);
  CHECK_THAT(svg, ContainsSubstring("M0 100v-100"));
  CHECK_THAT(svg, ContainsSubstring("M0 100v-4h1v4"));
}

TEST_CASE("An area has a hole where there is no sample") {
  StripArea area;
  area.label = "GPU";
  area.color = color_of(Meaning::compute);
  area.values = {50, NAN, 100, 100};
  const std::string svg = strip_area(area, 60);
  CHECK_THAT(svg, ContainsSubstring("M0 50h0 1M2 0h0 1 1"));
  CHECK_THAT(svg, ContainsSubstring("non-scaling-stroke"));
}

TEST_CASE("Ticks at the ends of an axis stay within it") {
  const std::string svg = strip_axis({{0, "0:00"}, {0.5, "0:30"}, {1, "1:00"}});
  CHECK_THAT(svg, ContainsSubstring(R"(x="0%" y="12" text-anchor="start")"));
  CHECK_THAT(svg, ContainsSubstring(R"(x="50%" y="12" text-anchor="middle")"));
  CHECK_THAT(svg, ContainsSubstring(R"(x="100%" y="12" text-anchor="end")"));
}

} // namespace test_strip

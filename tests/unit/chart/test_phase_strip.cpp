#include "chart/paths.h"
#include "chart/time_panel.h"

#include <catch2/catch_test_macros.hpp>

namespace test_phase_strip {

using namespace debrief;
using namespace debrief::chart;

namespace {

struct Bar {
  double x = 0;
  double y = 0;
  double width = 0;
};

std::vector<Bar> bars(const std::string& svg) {
  std::vector<Bar> out;
  for (std::size_t at = svg.find("<rect"); at != svg.npos; at = svg.find("<rect", at + 1))
    out.push_back({std::stod(quoted(svg, svg.find("x=\"", at) + 3)),
                   std::stod(quoted(svg, svg.find("y=\"", at) + 3)),
                   std::stod(quoted(svg, svg.find("width=\"", at) + 7))});
  return out;
}

} // namespace

TEST_CASE("Phases of one name share a lane with their name, and lie where they happened") {
  const TimePanel panel{"phases", {0, kMinute}};
  const auto svg = phase_strip(panel, {{"initialization", {0, kMinute / 4}, "first"},
                                       {"TRAIN", {kMinute / 4, kMinute / 2}, "t"},
                                       {"EVAL", {kMinute / 2, kMinute / 2}, "e"},
                                       {"TRAIN", {kMinute / 2, kMinute}, "t"}});
  const auto drawn = bars(svg);
  REQUIRE(drawn.size() == 4);
  CHECK(drawn[0].x == kPanelLeft);
  CHECK(drawn[0].width == kPlotWidth / 4);
  CHECK(drawn[1].y > drawn[0].y);
  CHECK(drawn[3].y == drawn[1].y);
  CHECK(drawn[2].width == 1);
  CHECK(svg.find("<title>first</title>") != svg.npos);
  CHECK(count_in(svg, ">TRAIN<") == 1);
}

TEST_CASE("Names beyond the last lane share it") {
  std::vector<Stretch> stretches;
  for (int at = 0; at < 20; ++at)
    stretches.push_back({"mode <" + std::to_string(at) + ">", {at, at + 1}, ""});
  const auto svg = phase_strip({"", {0, 20}}, stretches);
  const auto drawn = bars(svg);
  REQUIRE(drawn.size() == 20);
  CHECK(drawn[19].y == drawn[kMaxLanes - 1].y);
  CHECK(svg.find(">others<") != svg.npos);
  CHECK(svg.find("<0>") == svg.npos);
}

TEST_CASE("What held has a lane with its name, a bar at its time and a tip") {
  const std::vector<Lane> lanes = {{"Rule<1>", {{{kMinute / 2, kMinute}, "held & held"}}},
                                   {"moment", {{{kMinute, kMinute}, "end"}}}};
  const std::string svg = lane_strip({"lanes", {0, kMinute}}, lanes);
  CHECK(svg.find("Rule&lt;1&gt;") != svg.npos);
  CHECK(svg.find("<title>held &amp; held</title>") != svg.npos);
  const auto drawn = bars(svg);
  REQUIRE(drawn.size() == 2);
  CHECK(drawn[0].x == kPanelLeft + kPlotWidth / 2);
  CHECK(drawn[0].width == kPlotWidth / 2);
  CHECK(drawn[1].x + drawn[1].width == kPanelLeft + kPlotWidth); // a moment at the end is seen
  CHECK(drawn[1].y > drawn[0].y);
}

} // namespace test_phase_strip

#include "chart/step_lanes.h"
#include "drawing.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_step_lanes {

using namespace debrief;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

chart::StepLanes example() {
  chart::StepLanes step;
  step.label = "A step";
  step.seconds = 1;
  step.lanes = {{"thread 11", 2}, {"GPU 0 stream 7", 1}};
  step.kinds = {{"operator", chart::series(0)}, {"kernel", chart::series(2)}};
  step.slices = {{0, 0.5, 0, 0, 0, "aten::mm <1>"},
                 {0.25, 0.5, 0, 1, 0, "aten::copy_"},
                 {0.5, 1.5, 1, 0, 1, "gemm"}};
  return step;
}

std::vector<Element> rects(const std::string& svg) {
  std::vector<Element> out = elements(svg);
  std::erase_if(out, [](const Element& element) { return element.name != "rect"; });
  return out;
}

} // namespace

TEST_CASE("slices lie in their lane and level, cut at the end") {
  const std::vector<Element> boxes = rects(chart::step_lanes(example()));
  REQUIRE(boxes.size() == 3);
  const double width = 1040 - 150 - 24;
  CHECK(boxes[0].at("x") == 150);
  CHECK(boxes[0].at("width") == Approx(width / 2 - 0.5));
  CHECK(boxes[1].at("x") == Approx(150 + width / 4));
  CHECK(boxes[1].at("y") == boxes[0].at("y") + 13);
  CHECK(boxes[2].at("x") == Approx(150 + width / 2));
  CHECK(boxes[2].at("width") == Approx(width / 2 - 0.5));
  CHECK(boxes[2].at("y") > boxes[1].at("y") + 13);
  CHECK(boxes[0].key == "0");
  CHECK(boxes[2].key == "1");
  CHECK_THAT(boxes[0].tip, ContainsSubstring("aten::mm &lt;1&gt;"));
  CHECK_THAT(boxes[2].tip, ContainsSubstring("kernel, 1 s from 500 ms"));
}

TEST_CASE("what is too short to be told apart is one mark") {
  chart::StepLanes step = example();
  step.slices.clear();
  for (int i = 0; i < 5000; ++i)
    step.slices.push_back({i * 1e-4, i * 1e-4 + 5e-5, 0, 0, 0, "aten::add"});
  const std::string svg = chart::step_lanes(step);
  CHECK(rects(svg).empty());
  CHECK(svg.size() < 4000);
  step.slices[2500].from = 0.4; // a gap of a tenth of the width
  for (std::size_t i = 2501; i < 5000; ++i)
    step.slices[i].from = step.slices[i].to = 0.4;
  CHECK(chart::step_lanes(step).size() < 4000);
}

TEST_CASE("the end of the step is marked where GPU work runs on") {
  chart::StepLanes step = example();
  const auto dashed = [&] {
    const std::vector<Element> all = elements(chart::step_lanes(step));
    return std::count_if(all.begin(), all.end(), [](const Element& element) {
      return element.attributes.contains("stroke-dasharray");
    });
  };
  CHECK(dashed() == 0);
  step.mark = 0.75;
  CHECK(dashed() == 1);
  step.mark = 1;
  CHECK(dashed() == 0);
}

TEST_CASE("lanes and levels beyond the most are cut") {
  chart::StepLanes step = example();
  for (std::size_t i = 0; i < 30; ++i) {
    step.lanes.push_back({"thread", 40});
    step.slices.push_back({0, 1, 2 + i, 39, 0, "deep"});
  }
  CHECK(rects(chart::step_lanes(step)).size() == 3);
}

TEST_CASE("what is underlined has one line for what lies close together on a level") {
  chart::StepLanes step = example();
  step.slices.clear();
  for (int i = 0; i < 1000; ++i) {
    step.slices.push_back({i * 1e-4, i * 1e-4 + 5e-5, 0, 0, 0, "aten::add", true});
    step.slices.push_back({i * 1e-4, i * 1e-4 + 4e-5, 0, 1, 0, "aten::mul", true});
  }
  step.slices.push_back({0.9, 1, 0, 0, 0, "aten::div", true});
  step.slices.push_back({0.5, 1, 1, 0, 1, "gemm"});
  const std::string with = chart::step_lanes(step);
  for (chart::LaneSlice& slice : step.slices)
    slice.underlined = false;
  const std::string without = chart::step_lanes(step);
  CHECK(with.size() > without.size());
  CHECK(with.size() - without.size() < 200); // three lines
}

} // namespace test_step_lanes

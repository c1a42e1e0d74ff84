#include "chart/paths.h"
#include "render/example.h"
#include "render/example_timeline.h"
#include "render/parts/steps_over_time.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_steps_over_time {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

namespace {

result::Result with_steps() {
  result::Result result = example_result();
  result.timeline = example_timeline({.samples = 201, .steps = 200}); // half a second apart
  result.steps[0].threshold = 0.3;
  return result;
}

} // namespace

TEST_CASE("steps above the threshold are marked, with their numbers") {
  result::Result result = with_steps();
  result.steps[0].outlying = {{49, kTimelineStart + 49 * kSecond / 2, 0.5}};
  const auto figure = render::step_chart(result);
  REQUIRE(figure);
  CHECK(chart::paths_of(figure->svg, "f c-ink").size() == 4);
  CHECK_THAT(figure->svg, ContainsSubstring("<title>Step 49 of algo-1-27, TRAIN: 500 ms, from "
                                            "2023-11-14 22:13:44 UTC</title>"));
  CHECK_THAT(figure->caption, ContainsSubstring("Triangles are outliers."));
  CHECK(figure->legend.empty());
}

TEST_CASE("the first step warms up and is not outlying, and without a threshold none is") {
  result::Result result = with_steps();
  result.timeline.steps[0].steps[0].duration = kSecond;
  CHECK(chart::paths_of(render::step_chart(result)->svg, "f c-ink").size() == 4);
  result.steps[0].threshold.reset();
  CHECK(chart::paths_of(render::step_chart(result)->svg, "f c-ink").empty());
}

TEST_CASE("of many processes the slowest are drawn for each mode, and the caption says so") {
  result::Result result = with_steps();
  const result::StepTimeline first = result.timeline.steps[0];
  for (int process = 0; process < 9; ++process)
    for (const char* mode : {"TRAIN", "EVAL"}) {
      result::StepTimeline steps = first;
      steps.process = "algo-2-" + std::to_string(process);
      steps.mode = mode;
      for (result::StepMark& step : steps.steps)
        step.duration += process * 1000;
      result.timeline.steps.push_back(steps);
    }
  render::Section section;
  render::draw_steps(section, result);
  const auto figures = blocks(view_of(section), "chart");
  REQUIRE(figures.size() == 2);
  CHECK_THAT(figures[0]["caption"].get<std::string>(),
             ContainsSubstring("TRAIN step time over the job, 4 slowest of 10 processes"));
  REQUIRE(figures[1]["legend"].size() == 4);
  CHECK(figures[1]["legend"][0]["words"] == "algo-2-5");
  CHECK(figures[1]["legend"][3]["words"] == "algo-2-8");

  const auto panel = render::step_chart(result);
  CHECK_THAT(panel->caption, ContainsSubstring("4 of 19 processes and modes"));
}

TEST_CASE("without steps nothing is drawn") {
  render::Section section;
  render::draw_steps(section, {});
  CHECK(section.empty());
  CHECK(!render::step_chart({}));
}

} // namespace test_steps_over_time

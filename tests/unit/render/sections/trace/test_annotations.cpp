#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_annotations_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("annotations and modules name the most expensive") {
  const auto view = view_of(render::kAnnotationsSection, test::full_traces());
  CHECK(take_away(view) ==
        "train_step takes the most time of 1 annotation: 900 µs in 2 ranges, mean 450 µs. Linear_0 "
        "takes the most GPU self time of 1 module: 300 µs in 2 calls.");
  CHECK(cell(view, "Annotations", 0, "GPU work") == "700 µs");
  CHECK(cell(view, "Modules", 0, "CPU self") == "150 µs");
  const auto bar = blocks(view, "table")[0]["rows"][0].back();
  CHECK(bar["text"] == "most from 350 µs to 450 µs");
  CHECK(bar["bar"].size() == 2);
  CHECK(bar["bar"][1]["x"] == "50");
  CHECK(blocks(view, "chart").empty()); // two durations are read faster than drawn
}

TEST_CASE("durations of the first few annotations are drawn, in their unit") {
  result::Traces traces = test::full_traces();
  traces.annotations[0].count = 10;
  traces.annotations[0].histogram = {{300, 400, 500}, {30, 70}};
  const auto bar =
      blocks(view_of(render::kAnnotationsSection, traces), "table")[0]["rows"][0].back()["bar"];
  CHECK(bar[0]["class"] == "pale"); // less than half of the fullest
  CHECK(bar[1]["class"] == "strong");
  for (int at = 0; at < 6; ++at) {
    traces.annotations.emplace_back(result::AnnotationRow{traces.annotations[0]});
    traces.annotations.back().name += std::to_string(at);
  }
  const auto figures = blocks(view_of(render::kAnnotationsSection, traces), "chart");
  REQUIRE(figures.size() == 4);
  CHECK(figures[0]["caption"] == "Durations of train_step (algo-1-0)");
  CHECK(figures[0]["legend"][0]["words"] == "train_step: middle half 383 µs to 464 µs");
}

TEST_CASE("what traces have no annotations or modules of is said") {
  result::Traces traces = test::full_traces();
  traces.gpus.clear();
  traces.annotations.clear();
  traces.modules[0].device_self_us = 0;
  auto view = view_of(render::kAnnotationsSection, traces);
  CHECK(has_note(view, "record_function"));
  CHECK_THAT(take_away(view),
             ContainsSubstring("takes the most CPU self time of 1 module: 150 µs"));
  CHECK(cell(view, "Modules", 0, "GPU self") == "no such cell");
  traces.modules.clear();
  CHECK_THAT(only_note(view_of(render::kAnnotationsSection, traces)),
             ContainsSubstring("record_function"));
  traces.annotations = test::full_traces().annotations;
  view = view_of(render::kAnnotationsSection, traces);
  CHECK(has_note(view, "with_stack=True"));
  CHECK(view_of(render::kAnnotationsSection, result::Result{}).is_null());
}

} // namespace test_annotations_view

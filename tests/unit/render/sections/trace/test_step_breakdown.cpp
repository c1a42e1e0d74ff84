#include "render/parts/share_chart.h"
#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_breakdown_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("the breakdown names the largest part, how busy GPUs are and the spread of steps") {
  const auto view = view_of(render::kStepBreakdownSection, test::full_traces());
  CHECK(take_away(view) ==
        "The largest part of 2 profiled steps is kernels: 54.0% (540 µs of 1 ms). GPUs are busy "
        "72.0% of the time. Steps take 400 µs to 600 µs (median 500 µs). The longest is step 4 of "
        "algo-1-0, 1.20 times the median.");
  CHECK(cell(view, "Profiled time", 0, "Runtime") == "10.00");
  CHECK(cell(view, "Profiled steps", 1, "Duration") == "600 µs");
  CHECK(cell(view, "Profiled steps", 0, "GPU busy") == "75.00");
  CHECK(cell(view, "Profiled steps", 1, "Memset") == "0.00");
  CHECK(cell(view, "Profiled steps", 1, "Start") == "2023-11-14T22:13:40.000400Z");
  const auto figures = blocks(view, "chart");
  REQUIRE(figures.size() == 2);
  CHECK(figures[0]["legend"].size() == 8); // all parts have colors of their own
  CHECK_THAT(figures[0]["legend"][0]["words"].get<std::string>(), StartsWith("kernel: 54.0%"));
  CHECK_THAT(figures[1]["svg"].get<std::string>(), ContainsSubstring("step 4: 600 µs"));
}

TEST_CASE("bars are named by process where there are several") {
  const auto view = view_of(render::kStepBreakdownSection, example_traces());
  CHECK_THAT(take_away(view),
             StartsWith("The largest part of 4 profiled steps of 2 processes is "));
  CHECK_THAT(blocks(view, "chart")[0]["svg"].get<std::string>(), ContainsSubstring("algo-1-1"));
  CHECK_THAT(blocks(view, "chart")[1]["svg"].get<std::string>(),
             ContainsSubstring("algo-1-0, step 3: 400 µs"));
}

TEST_CASE("steps are drawn side by side, in their order, up to as many as can be told apart") {
  result::Traces traces = test::full_traces();
  const auto step = traces.steps[0];
  traces.steps.clear();
  for (std::int64_t at = 0; at < 40; ++at) {
    traces.steps.push_back(step);
    traces.steps.back().number = at;
    traces.steps.back().us = 400 + static_cast<double>(at % 2 == 0 ? at : 0);
  }
  const auto view = view_of(render::kStepBreakdownSection, traces);
  const auto figure = blocks(view, "chart")[1];
  CHECK(figure["caption"] == "Time of each step by part");
  const std::string svg = figure["svg"];
  CHECK_THAT(svg, ContainsSubstring("step 8: 408 µs") && ContainsSubstring("step 38: 438 µs"));
  traces.steps.resize(300, step);
  CHECK(blocks(view_of(render::kStepBreakdownSection, traces), "chart")[1]["caption"] ==
        "Time of each step by part, first 120 of 300 steps");
  CHECK(svg.find("step 10:") < svg.find("step 38:"));
  CHECK(blocks(view, "table")[2]["summary"] == "15 more steps");
}

TEST_CASE("of very many steps the first are in the table") {
  result::Traces traces = test::full_traces();
  traces.steps.resize(3000, traces.steps[0]);
  const auto view = view_of(render::kStepBreakdownSection, traces);
  std::size_t rows = 0;
  for (const auto& table : blocks(view, "table"))
    if (table["caption"].get<std::string>().starts_with("Profiled steps"))
      rows += table["rows"].size();
  CHECK(rows == 1000);
  CHECK_THAT(view.dump(), ContainsSubstring("1000 of 3000 rows"));
}

TEST_CASE("a trace without steps, GPU or clock says so") {
  result::Traces traces = test::full_traces();
  traces.gpus.clear();
  traces.steps.resize(1);
  traces.steps[0].number.reset();
  traces.steps[0].start.reset();
  traces.processes[0].steps = 0;
  const auto view = view_of(render::kStepBreakdownSection, traces);
  CHECK_THAT(take_away(view), StartsWith("The largest part of the whole trace is kernels") &&
                                  ContainsSubstring("No GPU work was recorded."));
  CHECK(has_note(view, "without marked steps counts as one"));
  for (const char* head : {"Step", "Start", "GPU busy"})
    CHECK(cell(view, "Profiled steps", 0, head) == "no such cell");
}

TEST_CASE("without traces the page says how to record them") {
  const std::string note = only_note(view_of(render::kStepBreakdownSection, result::Result{}));
  for (const char* part : {"torch.profiler", "schedule", "tensorboard_trace_handler",
                           "record_shapes=True", "profile_memory=True"})
    CHECK_THAT(note, ContainsSubstring(part));
  result::Traces empty;
  empty.files.emplace_back();
  CHECK_THAT(only_note(view_of(render::kStepBreakdownSection, empty)),
             StartsWith("The traces have no events with a duration"));
}

} // namespace test_breakdown_view

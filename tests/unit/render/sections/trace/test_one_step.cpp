#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_one_step_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

namespace {

result::StepView example_view(const std::string& which, std::int64_t number, double us) {
  result::StepView view;
  view.which = which;
  view.process = "algo-1-10";
  view.number = number;
  view.us = us;
  view.shown_us = us + 500;
  view.names = {"ProfilerStep#4", "aten::mm", "launch", "gemm<float>"};
  view.tracks = {{"thread 11", false, 3}, {"GPU 0 stream 7", true, 1}};
  view.slices = {{0, 2'000'000, 0, 0, 0, -1, 1},
                 {100'000, 900'000, 1, 0, 1, -1, 0, false, result::WorkCategory::gemm},
                 {200'000, 5000, 2, 0, 2, -1, 3},
                 {300'000, 1'200'000, 3, 1, 0, 2, 5, false, result::WorkCategory::gemm}};
  return view;
}

} // namespace

TEST_CASE("the section tells slowest, median and fastest step, and draws the median") {
  result::Traces traces;
  traces.files.emplace_back().steps = 9;
  traces.views = {example_view("slowest", 3, 4000), example_view("median", 4, 2000),
                  example_view("fastest", 7, 1500)};
  const nlohmann::json view = view_of(render::kOneStepSection, traces);
  CHECK(view.at("take_away") ==
        "9 profiled steps: the median (step 4 of algo-1-10) took 2 ms, the slowest (step 3 of "
        "algo-1-10) 4 ms and the fastest (step 7 of algo-1-10) 1.5 ms. 4 slices on 1 CPU thread "
        "and 1 GPU stream. The GPU finishes this step's work 500 µs after the CPU does. "
        "Longest GPU gap: 1 ms. Meanwhile the CPU was in Python outside operators.");
  CHECK_THAT(view.at("items").at(0).at("blocks").at(0).at("caption").get<std::string>(),
             ContainsSubstring("Slices of the median step"));
  const nlohmann::json& legend = view.at("items").at(0).at("blocks").at(0).at("legend");
  REQUIRE(legend.size() == 3); // what occurs; an operator and its kernel are for the same
  CHECK(legend[2].at("words") == "matrix products");
  const nlohmann::json& gaps = view.at("blocks").at(0);
  CHECK(gaps.at("caption") == "Longest GPU gaps of the median step");
  CHECK(gaps.at("rows")[0][1].at("text") == "1 ms");
  const nlohmann::json& rows = view.at("blocks").at(1).at("rows");
  REQUIRE(rows.size() == 3); // without the annotation
  CHECK(rows[0][0].at("text") == "gemm<float>");
  CHECK(rows[0][4].at("text") == "1.2 ms");
  CHECK(rows[0][5].at("text") == "aten::mm"); // the operator around the call
  CHECK(rows[1][0].at("text") == "aten::mm");
}

TEST_CASE("kernels are called by their short names, and the whole ones are at hand") {
  result::Traces traces;
  traces.files.emplace_back();
  traces.views = {example_view("only", 4, 2000)};
  result::KernelRow& kernel = traces.kernels.rows.emplace_back();
  kernel.name = "gemm<float>";
  kernel.short_name = "gemm";
  const nlohmann::json view = view_of(render::kOneStepSection, traces);
  const nlohmann::json& name = view.at("blocks").at(1).at("rows")[0][0];
  CHECK(name.at("text") == "gemm");
  CHECK(name.at("title") == "gemm<float>");
}

TEST_CASE("the only step, and a trace without steps, are called so") {
  result::Traces traces;
  traces.files.emplace_back();
  traces.views = {example_view("only", 4, 2000)};
  CHECK_THAT(view_of(render::kOneStepSection, traces).at("take_away").get<std::string>(),
             ContainsSubstring("The only profiled step (step 4 of algo-1-10) took 2 ms."));
  traces.views[0].number.reset();
  traces.views[0].shown_us = 700;
  traces.views[0].after_view = 12;
  const nlohmann::json view = view_of(render::kOneStepSection, traces);
  CHECK_THAT(
      view.at("take_away").get<std::string>(),
      ContainsSubstring("The traces have no marked steps; the trace of algo-1-10 lasts 2 ms."));
  CHECK_THAT(view.at("items").at(0).at("blocks").at(0).at("caption").get<std::string>(),
             ContainsSubstring("Slices of the trace"));
  CHECK(view.at("notes").at(0) == "Shown: the first 700 µs; 12 slices begin later.");
}

TEST_CASE("traces without a step say how to record one; without traces there is no section") {
  CHECK(view_of(render::kOneStepSection, result::Result{}).is_null());
  result::Traces traces;
  traces.files.emplace_back();
  const nlohmann::json view = view_of(render::kOneStepSection, traces);
  CHECK(view.at("take_away") == "");
  CHECK_THAT(view.at("notes").at(0).get<std::string>(), ContainsSubstring("torch.profiler"));
  CHECK(view.at("items").empty());
}

} // namespace test_one_step_view

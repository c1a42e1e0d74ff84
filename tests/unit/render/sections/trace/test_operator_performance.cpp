#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_operator_performance_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("operator performance says what was used of the GPU, and what is not covered") {
  const auto view = view_of(render::kOperatorPerformanceSection, test::full_traces());
  CHECK_THAT(take_away(view), ContainsSubstring("model FLOPs utilization"));
  CHECK_THAT(take_away(view), ContainsSubstring("aten::mm takes the most time"));
  CHECK(cell(view, "FLOPs and bytes", 0, "M × N × K") == "8 × 4 × 16");
  CHECK(cell(view, "FLOPs and bytes", 0, "Limited by") == "memory");
  CHECK(cell(view, "FLOPs and bytes", 1, "TFLOP/s") == "–");
  CHECK(cell(view, "Matrix FLOPs", 0, "Step") == "7");
  CHECK(cell(view, "Matrix FLOPs", 0, "Utilization (%)") == "0.25");
}

TEST_CASE("the roofline has a dot for what computes and moves, below the peaks of its types") {
  const auto view = view_of(render::kOperatorPerformanceSection, test::full_traces());
  const auto chart = blocks(view, "chart")[0];
  CHECK_THAT(chart["caption"].get<std::string>(), ContainsSubstring("H200 SXM"));
  const auto svg = chart["svg"].get<std::string>();
  CHECK_THAT(svg, ContainsSubstring("bf16 989.5 TFLOP/s"));
  CHECK_THAT(svg, !ContainsSubstring("fp8 1979"));
  CHECK_THAT(svg, ContainsSubstring("memory 4.8 TB/s"));
  REQUIRE(chart["legend"].size() == 1);
  CHECK(chart["legend"][0]["words"] == "matrix products");
}

TEST_CASE("missing shapes are named with the option that records them") {
  result::Traces traces = test::full_traces();
  traces.performance.rows.clear();
  const auto view = view_of(render::kOperatorPerformanceSection, traces);
  CHECK(has_note(view, "The traces have no operator shapes. Profile with "
                       "torch.profiler.profile(record_shapes=True)."));
}

TEST_CASE("GPU time by category names the largest operators of each") {
  const auto view = view_of(render::kGpuTimeSection, test::full_traces());
  CHECK_THAT(take_away(view), ContainsSubstring("matrix products"));
  CHECK(cell(view, "GPU work by category", 0, "Category") == "Matrix products");
  CHECK(cell(view, "GPU work by category", 0, "Share (%)") == "75.00");
  CHECK(cell(view, "GPU work by category", 0, "Largest operators") == "aten::mm");
  CHECK(cell(view, "GPU work by category", 1, "Largest operators") == "–");
}

} // namespace test_operator_performance_view

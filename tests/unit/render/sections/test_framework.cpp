#include "render/example.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_framework_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("framework metrics say how much of the loop is outside steps") {
  result::Result result = example_result();
  auto view = view_of(render::kFrameworkSection, result);
  CHECK_THAT(take_away(view), StartsWith("5.9% (5 s) of the training loop is between steps."));
  CHECK_THAT(take_away(view),
             ContainsSubstring("GPU operators takes most of the time in operators: 60.0% (30 s)."));
  CHECK(cell(view, "Phases", 0, "Process") == "algo-1-27");
  CHECK(cell(view, "Forward", 1, "Time") == "52 s");
  CHECK(cell(view, "Forward", 1, "Process") == "no such cell");
  CHECK(cell(view, "Collectives", 0, "Calls") == "2,000");

  result.framework.phase.push_back({"algo-2-30", "others", 45.2, 41.0, std::nullopt});
  CHECK_THAT(take_away(view_of(render::kFrameworkSection, result)),
             ContainsSubstring("5.9% (5 s) (algo-1-27) to 45.2% (41 s) (algo-2-30)"));
}

TEST_CASE("figures that are SageMaker's own say so") {
  result::Result result;
  result::Framework& framework = result.framework;
  framework.recorded_by_sagemaker = true;
  framework.phase = {{"", "others", -39.4, std::nullopt, std::nullopt},
                     {"", "Step:ModeKeys.TRAIN", 139.4, std::nullopt, std::nullopt}};
  const auto view = view_of(render::kFrameworkSection, result);
  CHECK(has_note(view, "SageMaker's own"));
  CHECK(has_note(view, "about half of the true time"));
  CHECK_THAT(take_away(view), StartsWith("SageMaker reports -39.4% between steps"));
  CHECK(has_note(view, "can be negative"));
  CHECK(cell(view, "Phases", 0, "Share (%)") == "-39.40");
  CHECK(cell(view, "Phases", 0, "Time") == "no such cell");
}

TEST_CASE("a job without framework metrics says how to record them") {
  CHECK_THAT(only_note(view_of(render::kFrameworkSection, result::Result{})),
             ContainsSubstring("Turn on"));
  result::Result result = example_result();
  result.framework = {};
  CHECK_THAT(only_note(view_of(render::kCpuOperatorsSection, result)),
             StartsWith("No CPU operators"));
  CHECK_THAT(only_note(view_of(render::kGpuOperatorsSection, result)),
             StartsWith("No GPU operators"));
  result.devices.clear();
  result.system_usage[0].metric = result::Metric::cpu;
  CHECK_THAT(only_note(view_of(render::kGpuOperatorsSection, result)),
             StartsWith("No GPU was recorded"));
}

TEST_CASE("operators are in a table of 25, with the rest folded away") {
  const auto view = view_of(render::kCpuOperatorsSection, example_result());
  CHECK(take_away(view) == "aten::conv2d takes the most time of 600 CPU operators: 2 s self (20.0% "
                           "of all self time), in 1,234 calls.");
  REQUIRE(blocks(view, "table").size() == 2);
  CHECK(blocks(view, "table")[0]["rows"].size() == 25);
  CHECK(blocks(view, "table")[1]["summary"] == "5 more operators");
  CHECK(has_note(view, "The table lists the top 30."));
  CHECK(cell(view, "CPU operators", 1, "Self time") == "1 s");
  CHECK(cell(view, "CPU operators", 1, "Total (%)") == "5.00");
}

TEST_CASE("operators without self time are told by their total") {
  result::Result result = example_result();
  result.framework.gpu_operators = {{{"kernel", 61.5, 1500, std::nullopt, std::nullopt, {}}}, 1};
  const auto view = view_of(render::kGpuOperatorsSection, result);
  CHECK(take_away(view) ==
        "kernel takes the most time of 1 GPU operator: 1.5 ms total (61.5% of all total time).");
  CHECK(cell(view, "GPU operators", 0, "Self time") == "no such cell");
  CHECK(cell(view, "GPU operators", 0, "Calls") == "no such cell");
}

} // namespace test_framework_view

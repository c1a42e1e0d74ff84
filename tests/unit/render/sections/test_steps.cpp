#include "render/example.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_steps_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("steps: average, outliers, and what ran beside them") {
  const auto view = view_of(render::kStepsSection, example_result());
  CHECK_THAT(
      take_away(view),
      StartsWith("algo-1-27 ran 1,000 TRAIN steps: mean 80 ms, median 79 ms, max 1.9 s; 2 outliers "
                 "(longer than 92 ms); the first step (1.9 s) is warmup and not counted."));
  CHECK_THAT(take_away(view), ContainsSubstring("checkpoint ran for 48.0%"));
  CHECK(cell(view, "Step time by", 0, "p95") == "85 ms");
  CHECK(cell(view, "Variation by", 0, "Outlier above") == "92 ms");
  CHECK(cell(view, "Outliers", 0, "Step") == "503");
  CHECK(cell(view, "Outliers", 0, "Start") == "2023-11-14T22:14:10.000000Z");
  CHECK(cell(view, "Work during outliers", 1, "Work") == "TRAIN");
}

TEST_CASE("of several processes the fastest and the slowest are named") {
  result::Result result = example_result();
  result.steps.push_back(result.steps[0]);
  result.steps[1].process = "algo-2-30";
  result.steps[1].mean = 0.12;
  const auto view = view_of(render::kStepsSection, result);
  CHECK_THAT(take_away(view), StartsWith("Mean TRAIN step time across 2 processes: 80 ms "
                                         "(algo-1-27) to 120 ms (algo-2-30); 4 outliers."));
}

TEST_CASE("steps of which SageMaker's files are all there is") {
  result::Result result = example_result();
  result.rules[5].recorded_by_sagemaker = true;
  result.steps[0].total.reset();
  result.steps[0].outliers = 96;
  result.steps[0].outlying = {{10, std::nullopt, std::nullopt}};
  const auto view = view_of(render::kStepsSection, result);
  CHECK(has_note(view, "SageMaker's own"));
  CHECK(has_note(view, "the longest outliers of each"));
  CHECK(cell(view, "Outliers", 0, "Start") == "no such cell");
  CHECK(cell(view, "Step time by", 0, "Total") == "no such cell");
}

TEST_CASE("a job without steps says how to record them") {
  CHECK_THAT(only_note(view_of(render::kStepsSection, result::Result{})), StartsWith("No steps"));
}

TEST_CASE("data loading: workers against cores, times, pinned memory") {
  result::Result result = example_result();
  auto view = view_of(render::kDataLoadingSection, result);
  CHECK_THAT(
      take_away(view),
      StartsWith("2 workers load data on 16 cores (12.5% of them). Below 70%, so more workers "
                 "would fit. Waiting for the next batch takes 190 ms (median)"));
  CHECK_THAT(take_away(view), ContainsSubstring("pin_memory is off"));
  CHECK(cell(view, "Data loader settings", 4, "Value") == "–");
  CHECK(cell(view, "Loading time", 0, "Above 2 × p50") == "4");

  result.data_loading.num_workers = 40;
  CHECK_THAT(take_away(view_of(render::kDataLoadingSection, result)),
             ContainsSubstring("workers compete for cores"));
  result.data_loading.num_workers = 0;
  CHECK_THAT(take_away(view_of(render::kDataLoadingSection, result)),
             StartsWith("The training process loads data itself"));
  result.data_loading.num_workers.reset();
  result.devices.clear();
  CHECK_THAT(take_away(view_of(render::kDataLoadingSection, result)),
             StartsWith("Waiting for the next batch"));
  CHECK_THAT(only_note(view_of(render::kDataLoadingSection, result::Result{})),
             StartsWith("No data-loading events"));
}

} // namespace test_steps_view

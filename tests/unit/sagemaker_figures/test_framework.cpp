#include "sagemaker_figures/breaks.h"
#include "sagemaker_figures/figures.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_framework {

using namespace debrief;

namespace {

constexpr const char* kFramework = R"({
  "ratio": {"gpu_functions-dev:0": 30.5, "cpu_functions": 69.5},
  "phase": {"Step:ModeKeys.TRAIN": 139.0, "others": -39.0},
  "phase_time": {},
  "CPU": {"relu": 20, "conv2d": 80, "lost": 1},
  "CPU_total": {"conv2d": 8000, "relu": 2000},
  "GPU": {"gemm": 100}, "GPU_total": {"gemm": 5},
  "general": {"DataLoaderIter": 100},
  "forward_backward": {"Forward pass": 40, "Backward pass": 60},
  "horovod": {"ALLREDUCE": 100}})";

constexpr const char* kLoading = R"({
  "pin_memory": true, "num_workers": 6, "cores": 4, "dataloaders": 5, "prefetch": false,
  "dataloading_time": {"p25": 0.1, "p50": 0.2, "p95": 0.9, "probs": [3, 4], "binedges": [0, 1, 2]}})";

} // namespace

TEST_CASE("SageMaker's framework figures are taken as they are, the largest first") {
  const auto found = sagemaker_figures::recorded_framework(
      test::recorded_job("OverallFrameworkMetrics", kFramework));
  CHECK(found.recorded_by_sagemaker);
  REQUIRE(found.phase.size() == 2);
  CHECK(found.phase[0].name == "Step:ModeKeys.TRAIN");
  CHECK(found.phase[1].percent == -39); // its error, not ours
  CHECK_FALSE(found.phase[0].seconds);
  CHECK_FALSE(found.phase[0].calls);
  CHECK(found.ratio.at(0).name == "cpu_functions");
  CHECK(found.forward_backward.at(0).name == "Backward pass");
  CHECK(found.general.size() == 1);
  CHECK(found.collectives.at(0).name == "ALLREDUCE");
}

TEST_CASE("an operator needs both of its figures") {
  const auto found = sagemaker_figures::recorded_framework(
      test::recorded_job("OverallFrameworkMetrics", kFramework));
  CHECK(found.cpu_operators.count == 2);
  REQUIRE(found.cpu_operators.rows.size() == 2);
  CHECK(found.cpu_operators.rows[0].name == "conv2d");
  CHECK(found.cpu_operators.rows[0].total_us == 8000);
  CHECK_FALSE(found.cpu_operators.rows[0].self_us);
  CHECK(found.gpu_operators.rows.at(0).percent == 100);
  CHECK(found.operator_source == result::kFromRuleOutputs);
}

TEST_CASE("a long list of recorded operators is cut") {
  nlohmann::json details;
  for (int i = 0; i < 600; ++i) {
    details["CPU"]["op" + std::to_string(i)] = i;
    details["CPU_total"]["op" + std::to_string(i)] = i;
  }
  const auto found = sagemaker_figures::recorded_framework(
      test::recorded_job("OverallFrameworkMetrics", details.dump()));
  CHECK(found.cpu_operators.count == 600);
  REQUIRE(found.cpu_operators.rows.size() == result::kMaxOperators);
  CHECK(found.cpu_operators.rows[0].name == "op599");
}

TEST_CASE("SageMaker's data loading has one row of times") {
  const auto found =
      sagemaker_figures::recorded_data_loading(test::recorded_job("Dataloader", kLoading, 7));
  CHECK(found.num_workers == 6);
  CHECK(found.cores == 4);
  CHECK(found.pin_memory == true);
  CHECK(found.prefetch == false);
  CHECK(found.loaders == 5);
  CHECK(found.source == result::kFromRuleOutputs);
  REQUIRE(found.times.size() == 1);
  CHECK(found.times[0].what == result::LoadKind::load);
  CHECK(found.times[0].count == 7);
  CHECK(found.times[0].p95 == 0.9);
  CHECK_FALSE(found.times[0].mean);
  CHECK(found.times[0].histogram.counts == std::vector<std::int64_t>{3, 4});
}

TEST_CASE("times with a percentile missing are none") {
  CHECK(sagemaker_figures::recorded_data_loading(
            test::recorded_job("Dataloader", R"({"dataloading_time": {"p25": 1, "p50": 2}})"))
            .empty());
}

TEST_CASE("without the rules' outputs there is nothing") {
  CHECK_FALSE(sagemaker_figures::recorded_framework({}).recorded_by_sagemaker);
  CHECK(sagemaker_figures::recorded_framework({}).operator_source.empty());
  CHECK(sagemaker_figures::recorded_data_loading({}).empty());
  CHECK(sagemaker_figures::recorded_data_loading({}).source.empty());
  CHECK(sagemaker_figures::recorded_data_loading(test::recorded_job("Dataloader", "{}")).empty());
}

TEST_CASE("figures of the framework with any part broken are read around") {
  test::for_each_break(kFramework, [](const nlohmann::json& details) {
    const auto found = sagemaker_figures::recorded_framework(
        test::recorded_job("OverallFrameworkMetrics", details.dump()));
    for (const auto* rows : {&found.phase, &found.ratio, &found.general, &found.collectives})
      for (const result::ShareRow& row : *rows)
        CHECK(std::isfinite(row.percent));
    for (const result::OperatorRow& row : found.cpu_operators.rows)
      CHECK(row.total_us >= 0);
  });
}

TEST_CASE("figures of data loading with any part broken are read around") {
  test::for_each_break(kLoading, [](const nlohmann::json& details) {
    const auto found =
        sagemaker_figures::recorded_data_loading(test::recorded_job("Dataloader", details.dump()));
    CHECK(found.num_workers.value_or(0) >= 0);
    CHECK(found.loaders.value_or(0) >= 0);
    for (const result::LoadTimes& times : found.times)
      for (const std::int64_t count : times.histogram.counts)
        CHECK(count >= 0);
  });
}

} // namespace test_framework

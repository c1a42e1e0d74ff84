#include "render/example.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_gpu_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("GPU utilization: range over GPUs, and what the rule found for each") {
  result::Result result = example_result();
  auto view = view_of(render::kGpuUtilizationSection, result);
  CHECK_THAT(take_away(view), StartsWith("The 2 GPUs were busy 28.0% (gpu0 of algo-2) to 88.0% "
                                         "(gpu0 of algo-1) of the time on average."));
  CHECK(cell(view, "Utilization by GPU", 0, "Low windows") == "4");
  CHECK(cell(view, "Utilization by GPU", 1, "Low windows") == "0");
  CHECK(cell(view, "Utilization by GPU", 1, "p5") == "10.00");
  CHECK(cell(view, "Utilization by GPU", 1, "Metric") == "no such cell");

  result.devices = {result.devices[1]};
  view = view_of(render::kGpuUtilizationSection, result);
  CHECK_THAT(take_away(view), StartsWith("gpu0 of algo-1 was busy 88.0% of the time on average (p5 "
                                         "70.0%, p95 94.0%)."));
  result.devices[0].mean.reset();
  CHECK_THAT(take_away(view_of(render::kGpuUtilizationSection, result)),
             ContainsSubstring("90.0% of the time (median)"));
}

TEST_CASE("GPU utilization: SM activity beside it, where it was measured") {
  result::Result result = example_result();
  CHECK_THAT(take_away(view_of(render::kGpuUtilizationSection, result)),
             !ContainsSubstring("SM activity"));
  result.sm_activity = {{"algo-1", "gpu0", 9, 90, 12.25, std::nullopt}};
  const auto view = view_of(render::kGpuUtilizationSection, result);
  CHECK_THAT(
      take_away(view),
      ContainsSubstring(
          "a kernel ran on gpu0 of algo-1 90.0% of the time and kept 12.2% of its SMs busy."));
  CHECK(cell(view, "Mean utilization", 0, "SM activity") == "12.25");
  CHECK(cell(view, "Mean utilization", 0, "Tensor cores") == "–");
}

TEST_CASE(
    "GPU memory: the fullest GPU, and the rule's figures with decimals where they have some") {
  result::Result result = example_result();
  result.rules[7].devices = {{"algo-1", "gpu0", {{"largest_increase", 3.25}, {"p50", 1}}}};
  const auto view = view_of(render::kGpuMemorySection, result);
  CHECK_THAT(
      take_away(view),
      StartsWith("GPU memory peaked at 55.0% (gpu0 of algo-2); the highest median is 45.0%."));
  CHECK(cell(view, "Memory use by GPU", 0, "Largest increase") == "3.25");
  CHECK(cell(view, "Memory use by GPU", 1, "Largest increase") == "–");
  CHECK(cell(view, "Memory use by GPU", 0, "p50") == "40.00");
}

TEST_CASE("batch size: how full each kind of device was, against the thresholds") {
  result::Result result = example_result();
  result.rules[3].parameters = {
      {"cpu_threshold_p95", "70"}, {"gpu_threshold_p95", "70"}, {"gpu_memory_threshold_p95", "70"}};
  const auto view = view_of(render::kBatchSizeSection, result);
  const std::string fullest =
      "Highest p95 over the job: CPU at 24.0%, GPU at 94.0% and GPU memory at 49.0%";
  CHECK_THAT(take_away(view),
             StartsWith(fullest + ". The rule looks for windows with all of them below 70%."));
  result.rules[3].parameters[1].second = "60";
  CHECK_THAT(take_away(view_of(render::kBatchSizeSection, result)),
             ContainsSubstring("with all of them below 70%, 60% and 70%."));
  result.rules[3].parameters.pop_back();
  CHECK_THAT(take_away(view_of(render::kBatchSizeSection, result)), StartsWith(fullest + ". "));
  CHECK(cell(view, "CPU, GPU and GPU memory use", 2, "Metric") == "GPU memory");
  result.rules[3].status = result::RuleStatus::issue_found;
  CHECK_THAT(take_away(view_of(render::kBatchSizeSection, result)),
             ContainsSubstring("Do something about it."));
}

TEST_CASE("workload balancing names the GPUs that differ most") {
  result::Result result = example_result();
  result.rules[2].parameters = {{"threshold", "0.2"}};
  CHECK_THAT(take_away(view_of(render::kLoadBalanceSection, result)),
             StartsWith("gpu0 of algo-1 and gpu0 of algo-2 differ most of 1 pair: distance 0.497"));
  CHECK_THAT(take_away(view_of(render::kLoadBalanceSection, result)),
             ContainsSubstring("; 1 is above the threshold 0.2."));
  result.load_balance.pair_count = 600;
  CHECK_THAT(take_away(view_of(render::kLoadBalanceSection, result)),
             ContainsSubstring("at least 1 is above"));
  CHECK(has_note(view_of(render::kLoadBalanceSection, result), "1 pairs that differ most"));
  result.load_balance = {};
  result.devices = {result.devices[1]};
  CHECK_THAT(only_note(view_of(render::kLoadBalanceSection, result)),
             StartsWith("Only one GPU was recorded"));
}

TEST_CASE("a job without GPUs says so in one line in every section on GPUs") {
  result::Result result;
  for (const render::SectionSpec* spec :
       {&render::kGpuUtilizationSection, &render::kGpuMemorySection, &render::kBatchSizeSection,
        &render::kLoadBalanceSection}) {
    result.system_usage.clear();
    CHECK_THAT(only_note(view_of(*spec, result)), StartsWith("No GPU metrics"));
    result.system_usage.push_back({"algo-1", result::Metric::cpu, "%", 1, 1, 1, 1, 1, 1});
    CHECK_THAT(only_note(view_of(*spec, result)), StartsWith("No GPU was recorded"));
  }
}

} // namespace test_gpu_view

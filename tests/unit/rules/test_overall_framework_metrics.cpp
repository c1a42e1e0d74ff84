#include "rules/rule_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_overall_framework_metrics {

using namespace debrief;
using namespace debrief::test;
using Catch::Approx;
using result::RuleStatus;

namespace {

result::RuleRow framework(const std::vector<Recorded>& list) {
  job::Job job;
  job.events = recorded(list);
  return outcome(job, "OverallFrameworkMetrics");
}

} // namespace

TEST_CASE("the framework's figures have SageMaker's shape") {
  const auto row = framework({{"Step:ModeKeys.TRAIN", 0, 4},
                              {"Step:ModeKeys.TRAIN", 6, 4},
                              {"cpu_functions", 0, 3, "aten::copy_"},
                              {"gpu_functions-dev:0", 0, 1, "sgemm"},
                              {"DataLoaderIter", 4, 1},
                              {"Forward", 0, 2},
                              {"Backward(post-forward)", 2, 1},
                              {"NcclManager", 3, 0.5, "all_reduce"}});
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.reason == "collects metrics; it never triggers");
  CHECK(row.triggered == 0);
  CHECK(row.violations == 0);
  CHECK(row.datapoints == 0);
  CHECK(row.parameters.empty());
  CHECK(keys(row.details) == std::vector<std::string>{"ratio", "phase", "phase_time", "CPU",
                                                      "CPU_total", "GPU", "GPU_total", "general",
                                                      "forward_backward", "horovod"});
  CHECK(row.details["ratio"].dump() == R"({"gpu_functions-dev:0":25.0,"cpu_functions":75.0})");
  CHECK(row.details["phase_time"].dump() == "{}");
  CHECK(row.details["CPU"].dump() == R"({"aten::copy_":100.0})");
  CHECK(row.details["CPU_total"].dump() == R"({"aten::copy_":3000000})");
  CHECK(keys(row.details["general"]) ==
        std::vector<std::string>{"Forward", "Backward(post-forward)", "DataLoaderIter"});
  CHECK(keys(row.details["forward_backward"]) ==
        std::vector<std::string>{"Forward pass", "Backward pass"});
  CHECK(row.details["horovod"].dump() == R"({"all_reduce":100.0})");
}

// Error 2: SageMaker subtracts the previous remainder, and shows half of it.
TEST_CASE("the time between steps is shown whole") {
  std::vector<Recorded> list;
  for (int i = 0; i < 11; ++i)
    list.push_back({"Step:ModeKeys.TRAIN", 4.0 * i, 1});
  const auto row = framework(list); // 11 s of steps in 41 s
  CHECK(row.details["phase"]["Step:ModeKeys.TRAIN"].get<double>() == Approx(100.0 * 11 / 41));
  CHECK(row.details["phase"]["others"].get<double>() == Approx(100.0 * 30 / 41));
}

// Error 3.
TEST_CASE("a step across a minute's boundary takes its time once") {
  const auto row = framework({{"Step:ModeKeys.TRAIN", 0, 10}, {"Step:ModeKeys.TRAIN", 30, 20}});
  CHECK(row.details["phase"]["Step:ModeKeys.TRAIN"] == 60);
  CHECK(row.details["phase"]["others"] == 40);
}

TEST_CASE("phases of all processes count alike, and overlapping modes share no moment") {
  const auto row = framework(
      {{"Step:ModeKeys.TRAIN", 0, 10},
       {"Step:ModeKeys.EVAL", 5, 10},
       {.phase = "Step:ModeKeys.TRAIN", .start = 100, .duration = 5, .process = "algo-2-8"}});
  CHECK(row.details["phase"]["Step:ModeKeys.TRAIN"] == 75);
  CHECK(row.details["phase"]["Step:ModeKeys.EVAL"] == 25);
  CHECK(row.details["phase"]["others"] == 0);
}

TEST_CASE("operators of at most two percent are left out, and the rest makes a hundred") {
  const auto row = framework({{"cpu_functions", 0, 75, "large"},
                              {"cpu_functions", 100, 23, "middle"},
                              {"cpu_functions", 200, 2, "small"}});
  CHECK(keys(row.details["CPU"]) == std::vector<std::string>{"large", "middle"});
  CHECK(row.details["CPU"]["large"].get<double>() == Approx(7500.0 / 98));
  CHECK(row.details["CPU_total"]["middle"] == 23'000'000);
  const auto kept =
      framework({{"cpu_functions", 0, 97.9, "large"}, {"cpu_functions", 100, 2.1, "small"}});
  CHECK(kept.details["CPU"].size() == 2);
}

TEST_CASE("without a framework event there are no figures of it") {
  const auto row = framework({});
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "no framework event was recorded");
  CHECK(row.details.dump() == R"({"ratio":{},"phase":{},"phase_time":{}})");
}

TEST_CASE("events that take no time are no part of anything") {
  const auto row = framework({{"Step:ModeKeys.TRAIN", 0, 0}, {"cpu_functions", 0, 0, "nothing"}});
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.details["phase"].dump() == "{}");
  CHECK_FALSE(row.details.contains("CPU"));
}

} // namespace test_overall_framework_metrics

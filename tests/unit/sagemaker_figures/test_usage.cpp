#include "sagemaker_figures/figures.h"

#include <catch2/catch_test_macros.hpp>

namespace test_usage {

using namespace debrief;

TEST_CASE("without samples SageMaker's own figures stand in") {
  job::Job job;
  job::RuleOutput output;
  output.rule = "OverallSystemUsage";
  output.set_details(nlohmann::json::parse(R"({
    "Network": {"algo-1": {"max": 701.65, "p99": 0, "p95": 0, "p50": 0, "min": 0}},
    "GPU": {},
    "CPU": {"algo-10": {"max": 9, "p99": 8, "p95": 7, "p50": 6, "min": 5},
            "algo-2": {"max": 1, "p99": 1, "p95": 1, "p50": 1, "min": 1},
            "algo-1": {"max": 57.86, "p99": 19.9, "p95": 17.34, "p50": 16.23, "min": 0}},
    "I/O": {"algo-1": {"max": 1}}})"));
  job.rule_outputs.push_back(output);
  const auto rows = sagemaker_figures::recorded_usage(job);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].node == "algo-1");
  CHECK(rows[0].metric == result::Metric::cpu);
  CHECK(rows[0].p95 == 17.34);
  CHECK_FALSE(rows[0].samples);
  CHECK(rows[1].metric == result::Metric::network);
  CHECK(rows[2].node == "algo-2");
  CHECK(rows[3].node == "algo-10");
}

} // namespace test_usage

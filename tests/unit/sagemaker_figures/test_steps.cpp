#include "sagemaker_figures/breaks.h"
#include "sagemaker_figures/figures.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_steps {

using namespace debrief;

namespace {

constexpr const char* kSteps = R"({"step_details": {
  "algo-1-27": {"step_stats": {"mean": 1.5, "max": 9, "p99": 8, "p95": 7, "p50": 1, "min": 0.5},
    "number_of_outliers": 3, "phase": "Step:ModeKeys.EVAL", "stddev": 0.25,
    "probs": [90, 10], "binedges": [0.5, 1, 2], "step_numbers": ["10", "29", "None"]}}})";

std::vector<result::StepRow> rows_of(const std::string& details) {
  return sagemaker_figures::recorded_steps(test::recorded_job("StepOutlier", details));
}

std::string entry(const std::string& more) {
  return R"({"step_stats": {"mean": 1, "max": 1, "p99": 1, "p95": 1, "p50": 1, "min": 1}, )" +
         more + "}";
}

} // namespace

TEST_CASE("SageMaker's step figures are taken as they are") {
  const auto rows = rows_of(kSteps);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].process == "algo-1-27");
  CHECK(rows[0].mode == "EVAL");
  CHECK(rows[0].source == result::kFromRuleOutputs);
  CHECK(rows[0].mean == 1.5);
  CHECK(rows[0].max == 9);
  CHECK(rows[0].p99 == 8);
  CHECK(rows[0].p95 == 7);
  CHECK(rows[0].p50 == 1);
  CHECK(rows[0].min == 0.5);
  CHECK(rows[0].stddev == 0.25);
  CHECK(rows[0].outliers == 3);
  CHECK(rows[0].count == 103); // the histogram's and the outliers
  CHECK_FALSE(rows[0].total);
  CHECK_FALSE(rows[0].first);
  CHECK_FALSE(rows[0].threshold);
}

TEST_CASE("outliers have their numbers, where those are numbers") {
  const auto outlying = rows_of(kSteps).at(0).outlying;
  REQUIRE(outlying.size() == 3);
  CHECK(outlying[0].number == 10);
  CHECK_FALSE(outlying[2].number);
  CHECK_FALSE(outlying[0].start);
  for (const char* text :
       {"\"\"", "\"1x\"", "\" 1\"", "\"99999999999999999999\"", "7", "null", "[]"}) {
    const auto rows = rows_of(R"({"step_details": {"p": )" +
                              entry(R"("step_numbers": [)" + std::string{text} + "]") + "}}");
    CHECK_FALSE(rows.at(0).outlying.at(0).number);
  }
}

TEST_CASE("a long list of recorded outliers is cut") {
  nlohmann::json numbers = nlohmann::json::array();
  for (int i = 0; i < 300; ++i)
    numbers.push_back(std::to_string(i));
  const auto rows =
      rows_of(R"({"step_details": {"p": )" + entry(R"("step_numbers": )" + numbers.dump()) + "}}");
  CHECK(rows.at(0).outlying.size() == result::kMaxOutliers);
}

TEST_CASE("processes come by their numbers, and their modes apart") {
  nlohmann::json details;
  nlohmann::json& entries = details["step_details"];
  entries["algo-1-10"] = nlohmann::json::parse(entry(R"("phase": "Step:ModeKeys.TRAIN")"));
  entries["algo-1-2"] = entries["algo-1-10"];
  entries["algo-1-2 (EVAL)"] = nlohmann::json::parse(entry(R"("phase": "Step:ModeKeys.EVAL")"));
  const auto rows = rows_of(details.dump());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].process == "algo-1-2");
  CHECK(rows[0].mode == "TRAIN");
  CHECK(rows[1].process == "algo-1-2");
  CHECK(rows[1].mode == "EVAL");
  CHECK(rows[2].process == "algo-1-10");
}

TEST_CASE("a process with a figure missing is left out") {
  CHECK(rows_of(R"({"step_details": {"p": {"step_stats": {"mean": 1, "max": 1}}}})").empty());
  CHECK(rows_of(R"({"step_details": {"p": {}}})").empty());
  CHECK(rows_of("{}").empty());
  CHECK(sagemaker_figures::recorded_steps({}).empty());
}

TEST_CASE("figures of steps with any part broken are read around") {
  test::for_each_break(kSteps, [](const nlohmann::json& details) {
    for (const result::StepRow& row : rows_of(details.dump())) {
      CHECK(row.count >= 0);
      CHECK(row.outliers.value_or(0) >= 0);
      CHECK(
          (row.histogram.empty() || row.histogram.edges.size() == row.histogram.counts.size() + 1));
    }
  });
}

} // namespace test_steps

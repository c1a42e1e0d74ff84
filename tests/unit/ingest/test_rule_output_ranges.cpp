#include "ingest/rule_output_ranges.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace test_rule_output_ranges {

using namespace debrief;
using nlohmann::json;

namespace {

/// What is left of the details, and how many numbers were lost.
std::pair<json, std::uint64_t> left_of(const std::string& rule, json details) {
  const std::uint64_t lost = ingest::drop_impossible_numbers(rule, details);
  return {std::move(details), lost};
}

json row(double p50, double max) {
  return {{"min", 0}, {"p50", p50}, {"p95", max}, {"p99", max}, {"max", max}};
}

} // namespace

TEST_CASE("percentiles of a node are kept or lost together") {
  const json good = row(50, 100);
  CHECK(
      left_of("OverallSystemUsage", {{"GPU", {{"a", good}, {"b", row(4102444799, 4102444799)}}}}) ==
      std::pair<json, std::uint64_t>{{{"GPU", {{"a", good}}}}, 1});
  CHECK(left_of("OverallSystemUsage", {{"GPU", {{"a", row(-1, 5)}}}}).second == 1);
  CHECK(left_of("OverallSystemUsage", {{"Network", {{"a", row(5e8, 1e9)}}}}).second == 0);
  CHECK(left_of("OverallSystemUsage", {{"Network", {{"a", row(9, 8)}}}}).second ==
        1); // out of order
  CHECK(left_of("OverallSystemUsage", {{"GPU", {{"a", row(50, 100 + 1e-9)}}}}).first["GPU"]["a"] ==
        good);
}

TEST_CASE("a device's box loses the numbers that cannot be") {
  CHECK(left_of("LowGPUUtilization",
                {{"a", {{"gpu0", {{"p50", 101}, {"p95", 99}}}}}, {"last_timestamp", 1671186660}}) ==
        std::pair<json, std::uint64_t>{
            {{"a", {{"gpu0", {{"p95", 99}}}}}, {"last_timestamp", 1671186660}}, 1});
  CHECK(left_of("GPUMemoryIncrease", {{"a", {{"gpu0", {{"increase", 250}}}}}}).second == 0);
}

TEST_CASE("shares, steps and loading times have their ranges too") {
  CHECK(left_of("OverallFrameworkMetrics", {{"phase", {{"TRAIN", 4294967295}, {"others", -20}}},
                                            {"CPU_total", {{"a", 500}}}}) ==
        std::pair<json, std::uint64_t>{{{"phase", {{"others", -20}}}, {"CPU_total", {{"a", 500}}}},
                                       1});
  const json entry = {{"step_stats", row(0.5, 1)}, {"stddev", 0.1}, {"phase", "TRAIN"}};
  json negative = entry;
  negative["stddev"] = -0.1;
  CHECK(left_of("StepOutlier", {{"step_details", {{"a", entry}, {"b", negative}}}}) ==
        std::pair<json, std::uint64_t>{{{"step_details", {{"a", entry}}}}, 1});
  CHECK(left_of("Dataloader", {{"cores", 0}, {"dataloading_time", {{"p50", -1}}}}) ==
        std::pair<json, std::uint64_t>{json::object(), 2});
  CHECK(left_of("Dataloader", {{"cores", 8}, {"dataloading_time", {{"p50", 1}}}}).second == 0);
}

TEST_CASE("what is not as expected is left to those who read it") {
  for (const char* rule : {"OverallSystemUsage", "LowGPUUtilization", "StepOutlier", "Dataloader",
                           "OverallFrameworkMetrics", "MaxInitializationTime", "Unknown"})
    for (const json& details : {json::object(), json{{"a", 5}}, json{{"a", {{"b", "text"}}}},
                                json{{"step_details", 7}}, json{{"step_details", {{"a", 7}}}}})
      CHECK(left_of(rule, details) == std::pair<json, std::uint64_t>{details, 0});
}

} // namespace test_rule_output_ranges

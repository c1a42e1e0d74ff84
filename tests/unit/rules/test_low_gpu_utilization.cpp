#include "rules/rule_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_low_gpu_utilization {

using namespace debrief;
using namespace debrief::test;
using Catch::Approx;
using result::RuleStatus;

namespace {

result::RuleRow low_gpu(const std::vector<double>& values, const Parameters& parameters = {}) {
  job::Job job;
  add(job, gpu(0), values);
  return outcome(job, "LowGPUUtilization", parameters);
}

} // namespace

TEST_CASE("a GPU whose 95th percentile is below the threshold is low") {
  const auto row = low_gpu(flat(1001, 69.9));
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 1);
  CHECK(row.violations == 1);
  CHECK(row.datapoints == 1001);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].device == "gpu0");
  CHECK(row.incidents[0].what == "low");
  CHECK(row.incidents[0].span == TimeSpan{at(250.5), at(500)}); // the last 500 samples
  CHECK(row.incident_seconds == 249.5);

  CHECK(low_gpu(flat(1001, 70.1)).status == RuleStatus::no_issue);
  CHECK(low_gpu(flat(1001, 65), {{"threshold_p95", "64"}}).status == RuleStatus::no_issue);
  CHECK(low_gpu(flat(1001, 75), {{"threshold_p95", "76"}}).status == RuleStatus::issue_found);
}

TEST_CASE("a busy GPU whose 5th percentile is below the threshold fluctuates") {
  const auto row = low_gpu(cycle(1001, {80, 9.9}));
  CHECK(row.triggered == 1);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].what == "fluctuating");
  REQUIRE(row.devices.size() == 1);
  CHECK(row.devices[0].figures.at("windows_fluctuating") == 1);
  CHECK(row.devices[0].figures.at("windows_low") == 0);

  CHECK(low_gpu(cycle(1001, {80, 10.1})).triggered == 0);
  CHECK(low_gpu(cycle(1001, {80, 9.9}), {{"threshold_p5", "9"}}).triggered == 0);
  CHECK(low_gpu(cycle(1001, {80, 20}), {{"threshold_p5", "25"}}).triggered == 1);
}

TEST_CASE("a 95th percentile that equals the threshold is neither low nor fluctuating") {
  CHECK(low_gpu(cycle(1001, {70, 0})).status == RuleStatus::no_issue);
}

TEST_CASE("a look at a GPU covers the last samples only") {
  const auto values = flat(900, 0) + flat(101, 90);
  CHECK(low_gpu(values).triggered == 1);
  CHECK(low_gpu(values, {{"window", "101"}}).triggered == 0);
  CHECK(low_gpu(values, {{"window", "120"}}).triggered == 1);
}

TEST_CASE("a GPU is judged by more samples than the rule's patience") {
  // Errors 3 and 4: of these thousand samples eight lie on a minute's boundary, and would count
  // twice; the last minute, without which there are too few in the second case, is partial.
  const auto few = low_gpu(flat(1000, 0));
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(few.datapoints == 1000);
  CHECK(few.triggered == 0);
  CHECK(few.incidents.empty());
  CHECK(few.details == nlohmann::ordered_json::object());
  CHECK(low_gpu(flat(1001, 0)).status == RuleStatus::issue_found);
  CHECK(low_gpu(flat(20, 0), {{"patience", "20"}}).status == RuleStatus::not_evaluated);
  CHECK(low_gpu(flat(21, 0), {{"patience", "20"}}).status == RuleStatus::issue_found);
}

TEST_CASE("without a GPU the rule on its utilization says so") {
  job::Job job;
  CHECK(outcome(job, "LowGPUUtilization").reason == "no GPU utilization was recorded");
  add(job, cpu(0), flat(2000, 5));
  const auto row = outcome(job, "LowGPUUtilization");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "no GPU utilization was recorded");
}

TEST_CASE("every window counts once for each GPU that is low in it") {
  job::Job job;
  add(job, gpu(0), flat(1041, 0)); // to the first sample of a second window beyond the patience
  add(job, gpu(1), flat(1041, 0));
  add(job, "algo-2", gpu(0), flat(1200, 99));
  const auto row = outcome(job, "LowGPUUtilization");
  CHECK(row.triggered == 4);
  CHECK(row.violations == 4);
  CHECK(row.datapoints == 1200); // of the last GPU
  REQUIRE(row.devices.size() == 3);
  CHECK(row.devices[1].figures.at("windows_low") == 2);
  CHECK(row.incident_count == 2);
  CHECK(keys(row.details) == std::vector<std::string>{"algo-1", "last_timestamp"});
  CHECK(row.details["last_timestamp"] == at(520));
  const Parameters every_second = {{"scan_interval_us", "1000000"}};
  CHECK(outcome(job, "LowGPUUtilization", every_second).triggered == 2 * 21);
}

TEST_CASE("details of a low GPU have SageMaker's shape") {
  const auto row = low_gpu({0, 10, 20, 30, 40}, {{"patience", "0"}, {"window", "4"}});
  CHECK(keys(row.details) == std::vector<std::string>{"algo-1", "last_timestamp"});
  const auto& of_gpu = row.details["algo-1"]["gpu0"];
  CHECK(keys(of_gpu) == std::vector<std::string>{"gpu_max", "gpu_95", "gpu_5", "p25", "p50", "p75",
                                                 "p95", "upper", "lower"});
  CHECK(of_gpu["gpu_max"] == 40);
  CHECK(of_gpu["gpu_95"].get<double>() == Approx(38.5)); // of the window
  CHECK(of_gpu["gpu_5"].get<double>() == Approx(11.5));
  CHECK(of_gpu["p25"] == 10); // of all samples
  CHECK(of_gpu["p50"] == 20);
  CHECK(of_gpu["p75"] == 30);
  CHECK(of_gpu["p95"].get<double>() == Approx(38));
  CHECK(of_gpu["upper"] == 40);
  CHECK(of_gpu["lower"] == 0);
  CHECK(row.details["last_timestamp"] == at(-20)); // the window's start
}

TEST_CASE("a node called last_timestamp does not hide the time") {
  job::Job job;
  add(job, "last_timestamp", gpu(0), flat(1001, 0));
  const auto row = outcome(job, "LowGPUUtilization");
  CHECK(row.details["last_timestamp"] == at(460));
  CHECK(row.details["node last_timestamp"].contains("gpu0"));
  CHECK(row.incidents.at(0).node == "last_timestamp");
}

} // namespace test_low_gpu_utilization

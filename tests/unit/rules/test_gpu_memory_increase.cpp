#include "rules/rule_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_gpu_memory_increase {

using namespace debrief;
using namespace debrief::test;
using Catch::Approx;
using result::RuleStatus;

namespace {

result::RuleRow memory(const std::vector<double>& values, const Parameters& parameters = {}) {
  job::Job job;
  add(job, gpu_memory(0), values);
  return outcome(job, "GPUMemoryIncrease", parameters);
}

} // namespace

TEST_CASE("memory increases where its moving average grows by more than allowed") {
  // The last sample alone moves the mean of ten by a tenth of its jump.
  const auto row = memory(flat(1000, 20) + flat(1, 70.1));
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 1);
  CHECK(row.violations == 1);
  CHECK(row.datapoints == 1001);
  const auto less = memory(flat(1000, 20) + flat(1, 69.9));
  CHECK(less.status == RuleStatus::no_issue);
  CHECK(less.devices.at(0).figures.at("largest_increase") == Approx(4.99));
  CHECK(memory(flat(1000, 20) + flat(1, 69.9), {{"increase", "4.9"}}).triggered == 1);
  CHECK(memory(flat(1000, 20) + flat(1, 70.1), {{"increase", "5.1"}}).triggered == 0);
}

TEST_CASE("memory that shrinks or stays does not increase") {
  CHECK(memory(flat(1000, 90) + flat(50, 10)).triggered == 0);
  CHECK(memory(flat(1050, 100), {{"increase", "0"}}).triggered == 0);
}

TEST_CASE("every sample at which memory increases counts, and they are one incident") {
  // From 20 to 48: the averages differ by 2.8, 5.6, 5.29 and 4.98 points.
  const auto row = memory(flat(1000, 20) + flat(100, 48));
  CHECK(row.triggered == 2);
  CHECK(row.violations == 2);
  CHECK(row.devices.at(0).figures.at("increases") == 2);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].device == "gpu0");
  CHECK(row.incidents[0].span == TimeSpan{at(495.5), at(501)});
  CHECK(row.details["algo-1"]["gpu0"]["increase"].get<double>() ==
        Approx(28 * (3.0 / 10 - 1.0 / 9)));
}

TEST_CASE("the moving average covers as many samples as the window says") {
  const auto values = flat(1000, 20) + flat(1, 40);
  CHECK(memory(values).triggered == 0);                    // (40 - 20) / 10
  CHECK(memory(values, {{"window", "4"}}).triggered == 0); // (40 - 20) / 4
  CHECK(memory(values, {{"window", "3"}}).triggered == 1);
  CHECK(memory(values, {{"window", "1"}, {"increase", "19"}}).triggered == 1);
  CHECK(memory(values, {{"window", "1"}, {"increase", "21"}}).triggered == 0);
}

TEST_CASE("memory is judged by more samples than the rule's patience") {
  const auto few = memory(flat(999, 20) + flat(1, 100));
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(few.triggered == 0);
  CHECK(memory(flat(1000, 20) + flat(1, 100)).status == RuleStatus::issue_found);
  CHECK(memory(flat(19, 20) + flat(1, 100), {{"patience", "20"}}).triggered == 0);
  CHECK(memory(flat(20, 20) + flat(1, 100), {{"patience", "20"}}).triggered == 1);
}

TEST_CASE("fewer samples than two moving averages need are too few without patience too") {
  const Parameters at_once = {{"patience", "0"}};
  const auto few = memory(flat(9, 20) + flat(1, 100), at_once);
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 10 samples, set by the window parameter (found 10)");
  const auto enough = memory(flat(10, 20) + flat(1, 100), at_once);
  CHECK(enough.status == RuleStatus::issue_found);
  CHECK(enough.triggered == 1);
  CHECK(memory(flat(1, 50), at_once).status == RuleStatus::not_evaluated);
}

TEST_CASE("without a memory series the rule on memory says so") {
  job::Job job;
  add(job, gpu(0), flat(1500, 20));
  add(job, cpu(0), flat(1500, 20));
  const auto row = outcome(job, "GPUMemoryIncrease");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "no GPU memory was recorded");
}

TEST_CASE("details of an increase have SageMaker's shape") {
  job::Job job;
  add(job, gpu_memory(0), flat(1039, 20) + flat(161, 60)); // from the window's last sample on
  add(job, gpu_memory(1), flat(1000, 20) + flat(40, 60));
  const auto row = outcome(job, "GPUMemoryIncrease");
  CHECK(keys(row.details) == std::vector<std::string>{"algo-1", "last_timestamp"});
  // In the order of the windows in which they were found.
  CHECK(keys(row.details["algo-1"]) == std::vector<std::string>{"gpu1", "gpu0"});
  const auto& of_gpu = row.details["algo-1"]["gpu1"];
  CHECK(keys(of_gpu) == std::vector<std::string>{"increase", "gpu_max", "p05", "p25", "p50", "p75",
                                                 "p95", "upper", "lower"});
  CHECK(of_gpu["gpu_max"] == 60);
  CHECK(of_gpu["p50"] == 20);
  CHECK(of_gpu["upper"] == 20);
  CHECK(row.details["last_timestamp"] == at(520));
  CHECK(row.datapoints == 1040); // of the last GPU
}

} // namespace test_gpu_memory_increase

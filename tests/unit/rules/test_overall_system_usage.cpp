#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_overall_system_usage {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

TEST_CASE("the usage of a node's resources has SageMaker's shape") {
  job::Job job;
  add(job, cpu(0), {0, 10, 20});
  add(job, cpu(1), {20, 30, 41.111});
  add(job, io_wait(0), {0, 0, 0});
  add(job, gpu(0), {0, 50, 100});
  add(job, gpu_memory(0), {1, 2, 3});
  add(job, {"memory", "MemoryUsedPercent", ""}, {30, 31, 32});
  add(job, {"network", "ReceiveBytesPerSecond", "Algorithm"}, {100, 200, 300});
  add(job, {"network", "TransmitBytesPerSecond", "Algorithm"}, {1, 2, 3});
  const auto row = outcome(job, "OverallSystemUsage");
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.reason == "collects metrics; it never triggers");
  CHECK(row.triggered == 0);
  CHECK(row.violations == 0);
  CHECK(row.datapoints == 3);
  CHECK(row.parameters.empty());
  CHECK(keys(row.details) ==
        std::vector<std::string>{"Network", "GPU", "CPU", "CPU memory", "GPU memory", "I/O"});
  CHECK(row.details["CPU"]["algo-1"].dump() ==
        R"({"max":30.56,"p99":30.34,"p95":29.5,"p50":20.0,"min":10.0})");
  CHECK(row.details["Network"]["algo-1"]["max"] == 303);
  CHECK(row.details["GPU"]["algo-1"]["p50"] == 50);
  CHECK(row.details["GPU memory"]["algo-1"]["p50"] == 2);
  CHECK(row.details["CPU memory"]["algo-1"]["p50"] == 31);
  // What is not above zero is the integer.
  CHECK(row.details["GPU"]["algo-1"]["min"].dump() == "0");
  CHECK(row.details["I/O"]["algo-1"].dump() == R"({"max":0,"p99":0,"p95":0,"p50":0,"min":0})");
}

// Error 12.
TEST_CASE("a job without GPUs has its usage all the same, with none of GPUs") {
  job::Job job;
  add(job, cpu(0), flat(5, 50));
  const auto row = outcome(job, "OverallSystemUsage");
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.details["GPU"].dump() == "{}");
  CHECK(row.details["GPU memory"].dump() == "{}");
  CHECK(row.details["CPU"]["algo-1"]["p50"] == 50);
}

// Errors 3 and 4.
TEST_CASE("samples on a minute's boundary count once, and the last partial minute counts") {
  job::Job job;
  add(job, cpu(0), flat(80, 0) + flat(1, 100) + flat(80, 0)); // the 81st lies on it
  add(job, gpu(0), flat(160, 0) + flat(1, 77));
  const auto row = outcome(job, "OverallSystemUsage");
  CHECK(row.datapoints == 161);
  CHECK(row.details["CPU"]["algo-1"]["p99"] == 0); // at position 158.4 of 160; twice: above 0
  CHECK(row.details["GPU"]["algo-1"]["max"] == 77);
}

TEST_CASE("every node has its usage, and datapoints are the first one's") {
  job::Job job;
  add(job, "algo-10", cpu(0), flat(7, 3));
  add(job, "algo-2", cpu(0), flat(5, 2));
  const auto row = outcome(job, "OverallSystemUsage");
  CHECK(keys(row.details["CPU"]) == std::vector<std::string>{"algo-2", "algo-10"});
  CHECK(row.datapoints == 5);
}

TEST_CASE("without a system metric there is no usage") {
  const auto row = outcome(job::Job{}, "OverallSystemUsage");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "no system metric was recorded");
  CHECK(row.details["CPU"].dump() == "{}");
  job::Job job;
  add(job, {"other", "thing", ""}, {1, 2}); // nothing that is known
  CHECK(outcome(job, "OverallSystemUsage").status == RuleStatus::not_evaluated);
}

} // namespace test_overall_system_usage

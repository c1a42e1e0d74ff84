#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_cpu_bottleneck {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

namespace {

/// Of 1100 moments the last `count` have this core and this GPU; before, the core rests and the GPU
/// works.
job::Job busy_at_end(std::size_t count, double core, double of_gpu) {
  job::Job job;
  add(job, cpu(0), flat(1100 - count, 5) + flat(count, core));
  add(job, gpu(0), flat(1100 - count, 95) + flat(count, of_gpu));
  return job;
}

RuleStatus status(const job::Job& job, const Parameters& parameters = {}) {
  return outcome(job, "CPUBottleneck", parameters).status;
}

} // namespace

TEST_CASE("the CPU is a bottleneck where it is so at more than half of the moments") {
  const auto row = outcome(busy_at_end(551, 90.1, 9.9), "CPUBottleneck");
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 1);
  CHECK(row.violations == 551);
  CHECK(row.datapoints == 1100); // error 3: those on a minute's boundary count once
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].device.empty());
  CHECK(row.incidents[0].span == TimeSpan{at(274.5), at(549.5)});
  REQUIRE(row.parts.size() == 3);
  CHECK(row.parts[0].count == 549);
  CHECK(row.parts[1].count == 0);
  CHECK(row.parts[2].count == 551);

  const auto half = outcome(busy_at_end(550, 90.1, 9.9), "CPUBottleneck");
  CHECK(half.status == RuleStatus::no_issue);
  CHECK(half.violations == 550);
  CHECK(half.incidents.empty());
  CHECK(status(busy_at_end(1100, 90, 9.9)) == RuleStatus::no_issue);
  CHECK(status(busy_at_end(1100, 90.1, 10)) == RuleStatus::no_issue);
}

TEST_CASE("the thresholds of a CPU bottleneck are parameters") {
  const job::Job job = busy_at_end(660, 95, 5);
  CHECK(status(job) == RuleStatus::issue_found);
  CHECK(status(job, {{"threshold", "61"}}) == RuleStatus::no_issue);
  CHECK(status(job, {{"cpu_threshold", "96"}}) == RuleStatus::no_issue);
  CHECK(status(job, {{"gpu_threshold", "4"}}) == RuleStatus::no_issue);
  CHECK(status(busy_at_end(330, 95, 5), {{"threshold", "29"}}) == RuleStatus::issue_found);
}

// Error 9: SageMaker mixes the nodes of a moment.
TEST_CASE("an idle GPU of one node and a busy core of another are no bottleneck") {
  job::Job job;
  add(job, "algo-1", cpu(0), flat(1100, 5));
  add(job, "algo-1", gpu(0), flat(1100, 0));
  add(job, "algo-2", cpu(0), flat(1100, 100));
  add(job, "algo-2", gpu(0), flat(1100, 95));
  const auto row = outcome(job, "CPUBottleneck");
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.violations == 0);
  CHECK(row.datapoints == 2200);
  CHECK(row.details["low_gpu_utilization"] == 1100);
}

TEST_CASE("a CPU bottleneck takes more moments than the rule's patience") {
  job::Job job;
  add(job, cpu(0), flat(1000, 100));
  add(job, gpu(0), flat(1000, 0));
  const auto few = outcome(job, "CPUBottleneck");
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(few.triggered == 0);
  CHECK(few.datapoints == 1000);
  CHECK(few.violations == 1000);
  CHECK(few.incidents.empty());
  CHECK(status(job, {{"patience", "999"}}) == RuleStatus::issue_found);
}

TEST_CASE("a CPU bottleneck is not looked for without GPUs and cores of the same node") {
  CHECK(outcome(job::Job{}, "CPUBottleneck").reason == "no GPU utilization was recorded");
  job::Job cores;
  add(cores, "algo-1", cpu(0), flat(1100, 100));
  const auto row = outcome(cores, "CPUBottleneck");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "no GPU utilization was recorded");
  CHECK(row.parts.empty());
  job::Job gpus;
  add(gpus, "algo-1", gpu(0), flat(1100, 0));
  CHECK(outcome(gpus, "CPUBottleneck").reason == "no CPU utilization was recorded");
  add(gpus, "algo-2", cpu(0), flat(1100, 100));
  CHECK(outcome(gpus, "CPUBottleneck").reason ==
        "no node recorded both GPU utilization and CPU utilization");
}

TEST_CASE("samples of a node up to 20 ms apart are one moment") {
  job::Job job;
  add(job, cpu(0), flat(1100, 100));
  add(job, gpu(0), flat(1100, 0), 0.02);
  CHECK(outcome(job, "CPUBottleneck").violations == 1100);
  job::Job apart;
  add(apart, cpu(0), flat(1100, 100));
  add(apart, gpu(0), flat(1100, 0), 0.021);
  const auto row = outcome(apart, "CPUBottleneck");
  CHECK(row.violations == 0);
  CHECK(row.datapoints == 1100);
}

TEST_CASE("details of a CPU bottleneck have SageMaker's shape") {
  job::Job job = busy_at_end(1100, 100, 0);
  add(job, cpu(1), flat(1100, 95));
  const auto plain = outcome(job, "CPUBottleneck").details;
  CHECK(keys(plain) == std::vector<std::string>{"low_gpu_utilization", "bottlenecks", "ratio",
                                                "phase", "phase_time"});
  CHECK(plain["low_gpu_utilization"] == 1100);
  CHECK(plain["bottlenecks"].size() == 1100);
  CHECK(plain["bottlenecks"]["1700000000.0"].dump() == R"({"GPUs":1,"CPUs":2})");
  CHECK(plain["bottlenecks"].contains("1700000549.5"));
  CHECK(plain["phase_time"] == nlohmann::ordered_json::object());

  job.events = recorded({{"Step:ModeKeys.TRAIN", 10, 30},
                         {"cpu_functions", 10, 15, "aten::copy_"},
                         {"gpu_functions-dev:0", 12, 5, "sgemm"},
                         {"DataLoaderIter", 20, 5}});
  const auto details = outcome(job, "CPUBottleneck").details;
  CHECK(keys(details) == std::vector<std::string>{"low_gpu_utilization", "bottlenecks", "ratio",
                                                  "CPU", "CPU_total", "GPU", "GPU_total", "phase",
                                                  "phase_time", "general"});
  CHECK(details["ratio"].dump() == R"({"cpu_functions":75.0,"gpu_functions":25.0})");
  CHECK(details["CPU_total"].dump() == R"({"aten::copy_":15000000})");
}

TEST_CASE("a moment at which no GPU was sampled says nothing of GPUs") {
  job::Job job;
  add(job, cpu(0), flat(1300, 95));
  add(job, gpu(0), flat(1200, 5));
  add(job, "algo-2", cpu(0), flat(1300, 5)); // a node without GPUs
  const auto row = outcome(job, "CPUBottleneck");
  CHECK(row.datapoints == 1200);
  CHECK(row.violations == 1200);
  REQUIRE(row.parts.size() == 3);
  CHECK(row.parts[0].count == 0);
}

TEST_CASE("CPU and GPU that were never sampled together give no verdict") {
  job::Job job;
  add(job, cpu(0), flat(1300, 95));
  add(job, gpu(0), flat(1300, 5), 0.2);
  const auto row = outcome(job, "CPUBottleneck");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "GPU utilization and CPU utilization were not sampled at the same time");
}

} // namespace test_cpu_bottleneck

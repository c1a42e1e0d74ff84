#include "rules/rule_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_batch_size {

using namespace debrief;
using namespace debrief::test;
using Catch::Approx;
using result::RuleStatus;

namespace {

/// A node whose CPU, GPU and GPU memory are always used as much as this.
job::Job job_with(double of_cpu, double of_gpu, double of_memory, std::size_t samples = 1001) {
  job::Job job;
  add(job, cpu(0), flat(samples, of_cpu));
  add(job, gpu(0), flat(samples, of_gpu));
  add(job, gpu_memory(0), flat(samples, of_memory));
  return job;
}

RuleStatus status(const job::Job& job, const Parameters& parameters = {}) {
  return outcome(job, "BatchSize", parameters).status;
}

} // namespace

TEST_CASE("a batch is too small where CPU, GPU and memory are all underused") {
  const auto row = outcome(job_with(69.9, 69.9, 69.9), "BatchSize");
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 1);
  CHECK(row.violations == 1);
  CHECK(row.datapoints == 1001);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].device == "gpu0");
  CHECK(row.incidents[0].span == TimeSpan{at(250.5), at(500)});
  CHECK(status(job_with(70.1, 50, 50)) == RuleStatus::no_issue);
  CHECK(status(job_with(50, 70.1, 50)) == RuleStatus::no_issue);
  CHECK(status(job_with(50, 50, 70.1)) == RuleStatus::no_issue);
}

TEST_CASE("the thresholds of the batch size are parameters") {
  for (const char* name : {"cpu_threshold_p95", "gpu_threshold_p95", "gpu_memory_threshold_p95"}) {
    CHECK(status(job_with(50, 50, 50), {{name, "49"}}) == RuleStatus::no_issue);
    CHECK(status(job_with(50, 50, 50), {{name, "51"}}) == RuleStatus::issue_found);
  }
  CHECK(status(job_with(80, 50, 50), {{"cpu_threshold_p95", "90"}}) == RuleStatus::issue_found);
}

TEST_CASE("a node's CPU is the mean over its cores") {
  job::Job job = job_with(100, 10, 10);
  CHECK(status(job) == RuleStatus::no_issue);
  add(job, cpu(1), flat(1001, 0));
  CHECK(status(job) == RuleStatus::issue_found);
}

TEST_CASE("the batch size is judged by more samples than patience and window") {
  const auto few = outcome(job_with(0, 0, 0, 1000), "BatchSize");
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(few.triggered == 0);
  CHECK(few.details == nlohmann::ordered_json::object());
  CHECK(status(job_with(0, 0, 0, 1001)) == RuleStatus::issue_found);
  const Parameters short_patience = {{"patience", "10"}, {"window", "20"}};
  CHECK(status(job_with(0, 0, 0, 20), short_patience) == RuleStatus::not_evaluated);
  CHECK(status(job_with(0, 0, 0, 21), short_patience) == RuleStatus::issue_found);
  // Busy until 101 samples before the end.
  job::Job job;
  for (const job::MetricName& name : {cpu(0), gpu(0), gpu_memory(0)})
    add(job, name, flat(900, 100) + flat(101, 5));
  CHECK(status(job) == RuleStatus::no_issue);
  CHECK(status(job, {{"window", "101"}}) == RuleStatus::issue_found);
}

TEST_CASE("a batch size is not judged without a GPU, its memory or the CPU") {
  job::Job job;
  add(job, cpu(0), flat(1001, 0));
  CHECK(outcome(job, "BatchSize").reason == "no GPU utilization and memory was recorded");
  add(job, gpu(0), flat(1001, 0));
  CHECK(outcome(job, "BatchSize").status == RuleStatus::not_evaluated);
  add(job, gpu_memory(1), flat(1001, 0)); // of another GPU
  CHECK(outcome(job, "BatchSize").reason == "no GPU utilization and memory was recorded");
  add(job, gpu_memory(0), flat(500, 0));
  const auto few = outcome(job, "BatchSize");
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 500 samples, set by the window parameter (found 500)");

  job::Job no_cores;
  add(no_cores, "algo-1", gpu(0), flat(1001, 0));
  add(no_cores, "algo-1", gpu_memory(0), flat(1001, 0));
  CHECK(outcome(no_cores, "BatchSize").reason == "no CPU utilization was recorded");
  add(no_cores, "algo-2", cpu(0), flat(1001, 0)); // of another node
  CHECK(outcome(no_cores, "BatchSize").status == RuleStatus::not_evaluated);
  CHECK(outcome(no_cores, "BatchSize").reason ==
        "no node recorded both CPU utilization and GPU utilization and memory");
}

TEST_CASE("a GPU without a memory series does not stop the others from being judged") {
  job::Job job = job_with(5, 5, 5, 1041);
  add(job, gpu(1), flat(1041, 5));
  const auto row = outcome(job, "BatchSize");
  CHECK(row.triggered == 2); // gpu0 in two windows
  CHECK(row.violations == 2);
  CHECK(row.devices.at(0).figures.at("windows") == 2);
  CHECK(row.devices.at(1).figures.at("windows") == 0);
  CHECK(keys(row.details["algo-1"]) == std::vector<std::string>{"cpu", "gpu0", "gpu0_memory"});
}

// Error 7: SageMaker gives the job's start, and takes the memory's box from two distributions.
TEST_CASE("details of a small batch tell the last window, and whiskers of their own quartiles") {
  job::Job job = job_with(5, 69, 0, 1041);
  job.metrics.pop_back();
  add(job, gpu_memory(0), cycle(1041, {40, 42, 44, 46, 48}));
  const auto row = outcome(job, "BatchSize");
  CHECK(keys(row.details) == std::vector<std::string>{"algo-1", "last_timestamp"});
  CHECK(row.details["last_timestamp"] == at(520));
  const auto& node = row.details["algo-1"];
  CHECK(keys(node) == std::vector<std::string>{"cpu", "gpu0", "gpu0_memory"});
  const auto& box = node["gpu0_memory"];
  CHECK(keys(box) == std::vector<std::string>{"p25", "p50", "p75", "p95", "upper", "lower"});
  CHECK(box["p25"] == 42);
  CHECK(box["p75"] == 46);
  CHECK(box["upper"] == 48);
  CHECK(box["lower"] == 40);
  CHECK(node["gpu0"]["upper"] == 69);
  CHECK(node["cpu"]["p50"] == 5);
}

} // namespace test_batch_size

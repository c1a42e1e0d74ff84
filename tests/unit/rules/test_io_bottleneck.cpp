#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_io_bottleneck {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

namespace {

/// Of 1100 moments the first `count` have this I/O wait and this GPU; then the GPU works.
job::Job waits_at_begin(std::size_t count, double wait, double of_gpu) {
  job::Job job;
  add(job, io_wait(0), flat(count, wait) + flat(1100 - count, 0));
  add(job, gpu(0), flat(count, of_gpu) + flat(1100 - count, 95));
  return job;
}

RuleStatus status(const job::Job& job, const Parameters& parameters = {}) {
  return outcome(job, "IOBottleneck", parameters).status;
}

} // namespace

TEST_CASE("I/O is a bottleneck where it is so at more than half of the moments") {
  const auto row = outcome(waits_at_begin(551, 50.1, 9.9), "IOBottleneck");
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 2); // at the end of both windows beyond the patience
  CHECK(row.violations == 551);
  CHECK(row.datapoints == 1100);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].span == TimeSpan{at(0), at(275.5)}); // until the next moment

  CHECK(status(waits_at_begin(1100, 50, 0)) == RuleStatus::no_issue);
  CHECK(status(waits_at_begin(1100, 50.1, 10)) == RuleStatus::no_issue);
  CHECK(status(waits_at_begin(520, 100, 0)) == RuleStatus::no_issue); // half of 1040
}

TEST_CASE("the thresholds of an I/O bottleneck are parameters") {
  const job::Job job = waits_at_begin(1000, 60, 5);
  CHECK(status(job) == RuleStatus::issue_found);
  CHECK(status(job, {{"io_threshold", "61"}}) == RuleStatus::no_issue);
  CHECK(status(job, {{"gpu_threshold", "4"}}) == RuleStatus::no_issue);
  CHECK(status(job, {{"threshold", "97"}}) == RuleStatus::no_issue);
  CHECK(status(waits_at_begin(1000, 40, 5), {{"io_threshold", "30"}}) == RuleStatus::issue_found);
}

TEST_CASE("a busy core that does not wait for I/O is no I/O bottleneck") {
  job::Job job = waits_at_begin(1100, 0, 0);
  add(job, cpu(0), flat(1100, 100));
  CHECK(status(job) == RuleStatus::no_issue);
  CHECK(outcome(job, "CPUBottleneck").status == RuleStatus::issue_found);
}

// Error 9.
TEST_CASE("an idle GPU of one node and a waiting core of another are no bottleneck") {
  job::Job job;
  add(job, "algo-1", io_wait(0), flat(1100, 0));
  add(job, "algo-1", gpu(0), flat(1100, 0));
  add(job, "algo-2", io_wait(0), flat(1100, 100));
  add(job, "algo-2", gpu(0), flat(1100, 95));
  const auto row = outcome(job, "IOBottleneck");
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.violations == 0);
}

TEST_CASE("moments of two nodes in the same microsecond share a key of the details") {
  job::Job job;
  for (const char* node : {"algo-1", "algo-2"}) {
    add(job, node, io_wait(0), flat(600, 100));
    add(job, node, gpu(0), flat(600, 0));
  }
  const auto row = outcome(job, "IOBottleneck");
  CHECK(row.datapoints == 1200);
  CHECK(row.violations == 1200);
  CHECK(row.details["low_gpu_utilization"] == 1200);
  CHECK(row.details["bottlenecks"].size() == 600);
  CHECK(row.details["bottlenecks"]["1700000000.5"].dump() == R"({"GPUs":2,"CPUs":2})");
  CHECK(row.incidents.size() == 2);
}

TEST_CASE("an I/O bottleneck takes more moments than the rule's patience") {
  job::Job job;
  add(job, io_wait(0), flat(1000, 100));
  add(job, gpu(0), flat(1000, 0));
  const auto few = outcome(job, "IOBottleneck");
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(status(job, {{"patience", "999"}}) == RuleStatus::issue_found);
}

TEST_CASE("an I/O bottleneck is not looked for without I/O wait or GPUs") {
  job::Job job;
  add(job, cpu(0), flat(1100, 100));
  add(job, gpu(0), flat(1100, 0));
  CHECK(outcome(job, "IOBottleneck").reason == "no I/O wait was recorded");
  job::Job cores;
  add(cores, io_wait(0), flat(1100, 100));
  CHECK(outcome(cores, "IOBottleneck").reason == "no GPU utilization was recorded");
}

TEST_CASE("a gap in the recording is not part of a bottleneck") {
  job::Job job;
  std::vector<double> seconds;
  for (int i = 0; i < 1100; ++i)
    seconds.push_back(i < 1000 ? i / 2.0 : 10'000 + i / 2.0);
  job.metrics.push_back(series("algo-1", io_wait(0), seconds, flat(1100, 100)));
  job.metrics.push_back(series("algo-1", gpu(0), seconds, flat(1100, 0)));
  const auto row = outcome(job, "IOBottleneck");
  REQUIRE(row.incidents.size() == 2);
  CHECK(row.incidents[0].span ==
        TimeSpan{at(0), at(500)}); // the usual interval after the last sample
  CHECK(row.incidents[1].span == TimeSpan{at(10'500), at(10'549.5)});
}

} // namespace test_io_bottleneck

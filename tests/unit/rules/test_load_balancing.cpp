#include "rules/rule_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <numeric>

namespace test_load_balancing {

using namespace debrief;
using namespace debrief::test;
using Catch::Approx;
using result::RuleStatus;

namespace {

/// One GPU always at 50 %, the other at 90 % for `differing` of 1100 samples.
result::RuleRow balance(std::size_t differing, const Parameters& parameters = {}) {
  job::Job job;
  add(job, gpu(0), flat(1100, 50));
  add(job, gpu(1), flat(1100 - differing, 50) + flat(differing, 90));
  return outcome(job, "LoadBalancing", parameters);
}

} // namespace

// Error 1: SageMaker compares the last GPU with itself, and never triggers.
TEST_CASE("one busy GPU beside three idle ones is out of balance with each") {
  job::Job job;
  add(job, gpu(0), flat(1001, 85));
  for (int device = 1; device < 4; ++device)
    add(job, gpu(device), flat(1001, 0));
  const auto row = outcome(job, "LoadBalancing");
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 3);
  CHECK(row.violations == 3);
  CHECK(row.datapoints == 1001);
  CHECK(keys(row.details["algo-1"]) == std::vector<std::string>{"workloads", "distances"});
  CHECK(keys(row.details["algo-1"]["distances"]) == std::vector<std::string>{"gpu0"});
  const auto& distances = row.details["algo-1"]["distances"]["gpu0"];
  CHECK(keys(distances) == std::vector<std::string>{"gpu1", "gpu2", "gpu3"});
  CHECK(distances["gpu1"].get<double>() == Approx(std::sqrt(std::log(2.0))));

  REQUIRE(row.incidents.size() == 3);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].device == "gpu0");
  CHECK(row.incidents[0].what == "unlike algo-1/gpu1");
  CHECK(row.incidents[0].span == TimeSpan{at(0), at(500)});
}

TEST_CASE("GPUs are out of balance above the distance allowed") {
  CHECK(balance(121).status == RuleStatus::no_issue);    // 0.1993
  CHECK(balance(132).status == RuleStatus::issue_found); // 0.2086
  CHECK(balance(132, {{"threshold", "0.21"}}).status == RuleStatus::no_issue);
  CHECK(balance(121, {{"threshold", "0.19"}}).status == RuleStatus::issue_found);
  CHECK(balance(0, {{"threshold", "0"}}).status == RuleStatus::no_issue);
  CHECK(keys(balance(121).details["algo-1"]) == std::vector<std::string>{"workloads"});
}

// Error 5: SageMaker's histogram ends at 98 and loses what is above.
TEST_CASE("the histogram of a GPU holds all its samples, full load included") {
  job::Job job;
  add(job, gpu(0), flat(400, 97.9) + flat(300, 98) + flat(200, 99) + flat(150, 100));
  add(job, gpu(1), flat(1050, 97));
  const auto row = outcome(job, "LoadBalancing");
  const auto bins = row.details["algo-1"]["workloads"]["gpu0"].get<std::vector<int>>();
  REQUIRE(bins.size() == 50);
  CHECK(bins[48] == 400);
  CHECK(bins[49] == 650);
  CHECK(std::accumulate(bins.begin(), bins.end(), 0) == 1050);
  CHECK(row.triggered == 1); // without the last bin the two would be alike
}

TEST_CASE("GPUs are compared where both have more samples than the rule's patience") {
  job::Job job;
  add(job, gpu(0), flat(1000, 0));
  add(job, gpu(1), flat(1000, 90));
  const auto few = outcome(job, "LoadBalancing");
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(few.triggered == 0);
  CHECK(few.datapoints == 1000);
  CHECK(outcome(job, "LoadBalancing", {{"patience", "999"}}).triggered == 1);

  add(job, gpu(2), flat(2000, 50)); // long enough, but there is no other like it
  const auto alone = outcome(job, "LoadBalancing");
  CHECK(alone.status == RuleStatus::not_evaluated);
  CHECK(alone.reason == few.reason);
  add(job, gpu(3), flat(1001, 50));
  CHECK(outcome(job, "LoadBalancing").status == RuleStatus::no_issue);
}

TEST_CASE("the balance of one GPU or none cannot be judged") {
  job::Job job;
  add(job, cpu(0), flat(1500, 50));
  CHECK(outcome(job, "LoadBalancing").reason == "no GPU utilization was recorded");
  add(job, gpu(0), flat(1500, 50));
  const auto row = outcome(job, "LoadBalancing");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "the job has only one GPU");
}

TEST_CASE("GPUs of two nodes are compared as well") {
  job::Job job;
  add(job, "algo-1", gpu(0), flat(1001, 0));
  add(job, "algo-2", gpu(0), flat(1200, 90));
  const auto row = outcome(job, "LoadBalancing");
  CHECK(row.triggered == 1);
  CHECK(row.datapoints == 1200);
  CHECK(keys(row.details) == std::vector<std::string>{"algo-1", "algo-2"});
  CHECK(keys(row.details["algo-1"]["distances"]["gpu0"]) ==
        std::vector<std::string>{"algo-2/gpu0"});
  CHECK_FALSE(row.details["algo-2"].contains("distances"));
  CHECK(row.incidents.at(0).what == "unlike algo-2/gpu0");
}

} // namespace test_load_balancing

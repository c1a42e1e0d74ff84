#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_max_initialization_time {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

namespace {

/// A job of this many minutes, with a step of a second at each of these minutes.
job::Job job_with(double minutes, const std::vector<double>& steps_at) {
  job::Job job;
  job.metrics.push_back(series("algo-1", cpu(0), {0, minutes * 60}, {5, 5}));
  std::vector<Recorded> list;
  for (const double minute : steps_at)
    list.push_back({"Step:ModeKeys.TRAIN", minute * 60, 1});
  job.events = recorded(list);
  return job;
}

result::RuleRow initialization(const job::Job& job, const Parameters& parameters = {}) {
  return outcome(job, "MaxInitializationTime", parameters);
}

} // namespace

// Error 6: SageMaker's rule is dead.
TEST_CASE("a first step after more than the time allowed is late") {
  const auto late = initialization(job_with(60, {21, 50}));
  CHECK(late.status == RuleStatus::issue_found);
  CHECK(late.triggered == 1);
  CHECK(late.violations == 1);
  CHECK(late.datapoints == 2);
  CHECK(late.reason == "the first step began after 21.0 min");
  REQUIRE(late.incidents.size() == 1);
  CHECK(late.incidents[0].span == TimeSpan{at(0), at(21 * 60)});
  CHECK(late.incidents[0].node.empty());

  const auto in_time = initialization(job_with(60, {19}));
  CHECK(in_time.status == RuleStatus::no_issue);
  CHECK(in_time.triggered == 0);
  CHECK(in_time.incidents.empty());
  CHECK(initialization(job_with(60, {20})).status == RuleStatus::no_issue);
  CHECK(initialization(job_with(60, {20.01})).status == RuleStatus::issue_found);
}

TEST_CASE("the time allowed for initialization is a parameter in minutes") {
  const job::Job job = job_with(60, {6});
  CHECK(initialization(job).status == RuleStatus::no_issue);
  CHECK(initialization(job, {{"threshold", "5.5"}}).status == RuleStatus::issue_found);
  CHECK(initialization(job_with(60, {21}), {{"threshold", "22"}}).status == RuleStatus::no_issue);
  CHECK(initialization(job_with(60, {0}), {{"threshold", "0"}}).status == RuleStatus::no_issue);
}

// Error 6.
TEST_CASE("a job without a step is late after the time allowed, and not judged before") {
  const auto without_step = [](double minutes) {
    job::Job job = job_with(minutes, {});
    job.events = recorded({{"DataLoaderIter", 60, 1}});
    return job;
  };
  const auto late = initialization(without_step(21));
  CHECK(late.status == RuleStatus::issue_found);
  CHECK(late.reason == "no step was recorded in 21.0 min");
  CHECK(late.incidents.at(0).span == TimeSpan{at(0), at(21 * 60)});
  CHECK(late.details["step_num"] == nlohmann::ordered_json::object());

  const auto early = initialization(without_step(19));
  CHECK(early.status == RuleStatus::not_evaluated);
  CHECK(early.reason ==
        "no step was recorded, and the job is shorter than the allowed startup time");
}

TEST_CASE("initialization is not judged where it is not known when anything happened") {
  CHECK(initialization(job::Job{}).status == RuleStatus::not_evaluated);
  CHECK(initialization(job::Job{}).reason == "the job's start and end are unknown");

  job::Job job = job_with(60, {});
  job.events = recorded({{.phase = "Step:ModeKeys.TRAIN", .duration = 1, .clock_known = false}});
  const auto row = initialization(job);
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "the times of steps are unknown");
  CHECK(row.triggered == 0);
  CHECK(row.datapoints == 1);
}

TEST_CASE("details of initialization have SageMaker's shape, with the job's last partial minute") {
  const auto row = initialization(job_with(60, {21, 50}));
  CHECK(keys(row.details) == std::vector<std::string>{"step_num", "job_start", "job_end"});
  CHECK(keys(row.details["step_num"]) == std::vector<std::string>{"first", "last"});
  CHECK(row.details["step_num"]["first"] == at(21 * 60));
  CHECK(row.details["step_num"]["last"] == at(50 * 60)); // the last step's start
  CHECK(row.details["job_start"] == 1'700'000'000);
  CHECK(row.details["job_end"] == 1'700'003'600); // error 4: 20 s into its minute
}

TEST_CASE("initialization ends with the first step of any process and mode") {
  job::Job job = job_with(60, {});
  job.events = recorded(
      {{.phase = "Step:ModeKeys.TRAIN", .start = 1500, .duration = 1},
       {.phase = "Step:ModeKeys.EVAL", .start = 600, .duration = 1, .process = "algo-2-9"}});
  const auto row = initialization(job);
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.details["step_num"]["first"] == at(600));
  CHECK(row.details["step_num"]["last"] == at(1500));
}

TEST_CASE("without framework data nobody knows when training began") {
  const auto unknown = initialization(job_with(21, {}));
  CHECK(unknown.status == RuleStatus::not_evaluated);
  CHECK(unknown.reason == "no framework data was recorded, so the start of training is unknown");
}

} // namespace test_max_initialization_time

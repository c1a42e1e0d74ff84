#include "rules/rule_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_step_outlier {

using namespace debrief;
using namespace debrief::test;
using Catch::Approx;
using result::RuleStatus;

namespace {

/// Steps of a second, two seconds apart; from the second on, the first `slow` of them take ten.
/// Their standard deviation is such that of 200 steps, 11 slow ones are 4.134 of them above the
/// mean.
std::vector<Recorded> steps_with(std::size_t count, std::size_t slow, double first = 1,
                                 const std::string& mode = "TRAIN") {
  std::vector<Recorded> list;
  for (std::size_t i = 0; i < count; ++i)
    list.push_back({.phase = "Step:ModeKeys." + mode,
                    .start = 2.0 * static_cast<double>(i),
                    .duration = i == 0      ? first
                                : i <= slow ? 10.0
                                            : 1.0,
                    .step = static_cast<std::int64_t>(i)});
  return list;
}

result::RuleRow outliers(const std::vector<Recorded>& list, const Parameters& parameters = {}) {
  job::Job job;
  job.events = recorded(list);
  return outcome(job, "StepOutlier", parameters);
}

} // namespace

TEST_CASE("more outliers than are forgiven are an issue") {
  const auto row = outliers(steps_with(200, 11));
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.violations == 11); // error 8: once, not again in every window
  CHECK(row.triggered == 1);   // all in the first minute
  CHECK(row.datapoints == 200);
  const auto ten = outliers(steps_with(200, 10));
  CHECK(ten.status == RuleStatus::no_issue);
  CHECK(ten.violations == 0);
  CHECK(ten.triggered == 0);
  CHECK(ten.incidents.empty());
  CHECK(ten.details["step_details"]["algo-1-27"]["number_of_outliers"] == 10);
  CHECK(outliers(steps_with(200, 10), {{"n_outliers", "9"}}).violations == 10);
  CHECK(outliers(steps_with(200, 11), {{"n_outliers", "11"}}).violations == 0);
}

TEST_CASE("a step is outlying beyond as many standard deviations as the parameter says") {
  CHECK(outliers(steps_with(200, 11), {{"stddev", "4.13"}}).violations == 11);
  CHECK(outliers(steps_with(200, 11), {{"stddev", "4.14"}}).violations == 0);
}

TEST_CASE("outliers are looked for among more than a hundred steps") {
  const auto few = outliers(steps_with(100, 11), {{"stddev", "1"}});
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 100 steps (found 100)");
  CHECK(few.datapoints == 100);
  CHECK(few.details.dump() == R"({"step_details":{}})");
  CHECK(outliers(steps_with(101, 11), {{"stddev", "1"}}).status == RuleStatus::issue_found);
  CHECK(outliers({}).reason == "no step was recorded");
  CHECK(outliers(steps_with(200, 11), {{"mode", "EVAL"}}).reason == "no EVAL step was recorded");
}

// Error 8.
TEST_CASE("a slow first step neither counts as outlying nor hides others") {
  const auto row = outliers(steps_with(200, 11, 1000));
  CHECK(row.violations == 11);
  CHECK(row.details["step_details"]["algo-1-27"]["step_stats"]["max"] == 1000);
}

// Error 8.
TEST_CASE("evaluation does not hide training") {
  auto list = steps_with(200, 11);
  for (const Recorded& step : steps_with(150, 0, 1, "EVAL"))
    list.push_back(step);
  const auto row = outliers(list);
  const auto& details = row.details["step_details"];
  CHECK(keys(details) == std::vector<std::string>{"algo-1-27", "algo-1-27 (EVAL)"});
  CHECK(details["algo-1-27"]["phase"] == "Step:ModeKeys.TRAIN");
  CHECK(details["algo-1-27"]["number_of_outliers"] == 11);
  CHECK(details["algo-1-27 (EVAL)"]["number_of_outliers"] == 0);
  CHECK(row.violations == 11);
  CHECK(row.datapoints == 350);
  const auto eval = outliers(list, {{"mode", "EVAL"}});
  CHECK(eval.status == RuleStatus::no_issue);
  CHECK(eval.datapoints == 150);
  CHECK(eval.details["step_details"]["algo-1-27"]["phase"] == "Step:ModeKeys.EVAL");
  CHECK(outliers(list, {{"mode", "TRAIN"}}).datapoints == 200);
}

TEST_CASE("outliers are incidents of their process, and each minute with one counts") {
  auto list = steps_with(200, 0);
  for (std::size_t i = 20; i < 35; ++i) // at(40), where a minute begins, to at(68)
    list[i].duration = 10;
  list[19].duration = 5;  // error 3: from one minute into the next, one step
  list[80].duration = 10; // at(160), in another minute
  list[20].step.reset();
  const auto row = outliers(list);
  CHECK(row.datapoints == 200);
  CHECK(row.violations == 16);
  CHECK(row.triggered == 2);
  CHECK(row.incident_count == 16);
  CHECK(row.incidents[0].node == "algo-1-27");
  CHECK(row.incidents[0].what == "TRAIN step");
  CHECK(row.incidents[0].span == TimeSpan{at(40), at(50)});
  CHECK(row.incidents[15].what == "TRAIN step 80");
  const auto& numbers = row.details["step_details"]["algo-1-27"]["step_numbers"];
  CHECK(numbers[0] == "None");
  CHECK(numbers[1] == "21");
}

TEST_CASE("steps of equal length have no outliers") {
  auto list = steps_with(200, 0, 0.1);
  for (Recorded& step : list)
    step.duration = 0.1;
  const auto row = outliers(list, {{"stddev", "0"}, {"n_outliers", "0"}});
  CHECK(row.status == RuleStatus::no_issue);
  CHECK(row.violations == 0);
  const auto& details = row.details["step_details"]["algo-1-27"];
  CHECK(details["stddev"] == 0);
  CHECK(details["step_stats"]["mean"].get<double>() == Approx(0.1));
  CHECK(details["probs"].size() == 100);
  CHECK(details["binedges"].size() == 101);
}

TEST_CASE("outliers of a timeline whose clock is not known count, but have no moment") {
  auto list = steps_with(200, 11);
  for (Recorded& step : list)
    step.clock_known = false;
  const auto row = outliers(list);
  CHECK(row.violations == 11);
  CHECK(row.incidents.empty());
  CHECK(row.activity.empty());
  CHECK(keys(row.details) == std::vector<std::string>{"step_details"});
}

TEST_CASE("details of outliers have SageMaker's shape") {
  auto list = steps_with(200, 11);
  list.push_back({"DataLoaderIter", 4, 1});
  const auto row = outliers(list);
  CHECK(keys(row.details) ==
        std::vector<std::string>{"step_details", "ratio", "phase", "phase_time", "general"});
  const auto& details = row.details["step_details"]["algo-1-27"];
  CHECK(keys(details) == std::vector<std::string>{"step_stats", "number_of_outliers", "phase",
                                                  "stddev", "probs", "binedges", "step_numbers"});
  CHECK(keys(details["step_stats"]) ==
        std::vector<std::string>{"mean", "max", "p99", "p95", "p50", "min"});
  CHECK(details["stddev"] == 2.06);
  CHECK(details["probs"].size() == 100);
  CHECK(details["binedges"].size() == 101);
  CHECK(details["step_numbers"].size() == 11);
  CHECK(details["step_numbers"][0] == "1");
}

} // namespace test_step_outlier

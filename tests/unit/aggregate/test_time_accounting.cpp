#include "aggregate/timeline.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <random>

namespace test_time_accounting {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::at;

namespace {

/// Of a job from second 0 to `end`.
result::TimeAccounting account(const job::EventTable& events, double end = 100) {
  result::JobSummary job;
  job.span = TimeSpan{at(0), at(end)};
  return aggregate::time_accounting(job,
                                    aggregate::step_series(events, aggregate::EventKinds{events}));
}

std::string text_of(const result::TimeAccounting& accounting) {
  std::string text;
  for (const result::TimePart& part : accounting.parts)
    text += (text.empty() ? "" : ", ") + part.part.text() + " " +
            std::to_string(static_cast<int>(part.seconds));
  return text;
}

double sum_of(const result::TimeAccounting& accounting) {
  double sum = 0;
  for (const result::TimePart& part : accounting.parts)
    sum += part.seconds;
  return sum;
}

} // namespace

TEST_CASE("a job's time is initialization, steps, what lies between, and finalization") {
  const auto found = account(test::steps({{"TRAIN", 10, 20}, {"EVAL", 40, 5}, {"TRAIN", 50, 30}}));
  CHECK(found.total == 100);
  CHECK(text_of(found) == "initialization 10, TRAIN 50, EVAL 5, between steps 15, finalization 20");
  CHECK(found.parts[1].percent == 50);
}

TEST_CASE("steps of several processes at once count once, TRAIN before EVAL") {
  const auto found = account(test::steps({{"EVAL", 25, 15, "algo-2-1"},
                                          {"TRAIN", 10, 10, "algo-1-1"},
                                          {"TRAIN", 15, 15, "algo-2-1"},
                                          {"TRAIN", 60, 10, "algo-1-1"}}));
  CHECK(text_of(found) ==
        "initialization 10, TRAIN 30, EVAL 10, between steps 20, finalization 30");
  CHECK(sum_of(found) == 100);
}

TEST_CASE("an evaluation within training adds nothing and hides nothing") {
  CHECK(text_of(account(test::steps({{"TRAIN", 0, 100}, {"EVAL", 20, 30}}))) ==
        "initialization 0, TRAIN 100, EVAL 0, between steps 0, finalization 0");
}

TEST_CASE("a step that crosses a minute counts once") {
  CHECK(text_of(account(test::steps({{"TRAIN", 30, 25}, {"TRAIN", 55, 10}}), 120)) ==
        "initialization 30, TRAIN 35, between steps 0, finalization 55");
}

TEST_CASE("the parts are never negative and sum to the whole") {
  std::mt19937 random{11};
  for (int round = 0; round < 100; ++round) {
    std::vector<test::Step> list;
    for (std::size_t i = 0; i < 1 + random() % 12; ++i)
      list.push_back({i % 3 == 0 ? "EVAL" : "TRAIN", static_cast<double>(random() % 90),
                      static_cast<double>(random() % 10), "algo-" + std::to_string(random() % 3)});
    const auto found = account(test::steps(list));
    CHECK_THAT(sum_of(found), WithinAbs(100, 1e-9));
    for (const result::TimePart& part : found.parts) {
      CHECK(part.seconds >= 0);
      CHECK_THAT(part.percent, WithinAbs(part.seconds, 1e-9));
    }
  }
}

TEST_CASE("steps without a known clock have no place in the job") {
  const test::Event adrift = {
      .phase = "Step:ModeKeys.TRAIN", .start = 5, .duration = 50, .clock_known = false};
  CHECK(text_of(account(test::events({adrift}))) == "unattributed 100");
  CHECK(text_of(account(test::events(
            {adrift, {.phase = "Step:ModeKeys.EVAL", .start = 20, .duration = 10}}))) ==
        "initialization 20, EVAL 10, between steps 0, finalization 70");
}

TEST_CASE("without steps only the start of the first, if recorded, parts the job") {
  result::JobSummary job;
  CHECK_FALSE(aggregate::time_accounting(job, {}).total);
  CHECK(aggregate::time_accounting(job, {}).parts.empty());
  job.span = TimeSpan{at(0), at(100)};
  CHECK(text_of(aggregate::time_accounting(job, {})) == "unattributed 100");
  job.training_loop_start = at(30);
  CHECK(text_of(aggregate::time_accounting(job, {})) == "initialization 30, unattributed 70");
}

TEST_CASE("a job without length has parts without percents") {
  const auto found = account(test::steps({{"TRAIN", 0, 0}}), 0);
  CHECK(found.total == 0);
  for (const result::TimePart& part : found.parts)
    CHECK(part.percent == 0);
}

TEST_CASE("a file without a clock does not cost a process its place in the job") {
  CHECK(text_of(account(test::events(
            {{.phase = "Step:ModeKeys.TRAIN", .start = 10, .duration = 20},
             {.phase = "Step:ModeKeys.TRAIN", .start = 3, .duration = 5, .clock_known = false},
             {.phase = "Step:ModeKeys.TRAIN", .start = 40, .duration = 30}}))) ==
        "initialization 10, TRAIN 50, between steps 10, finalization 30");
}

TEST_CASE("around profiled steps nothing is known") {
  const job::EventTable events =
      test::steps({{"PROFILED", 30, 5}, {"PROFILED", 33, 4, "algo-2-1"}, {"PROFILED", 60, 5}});
  const auto found = account(events);
  CHECK(text_of(found) == "PROFILED 12, unattributed 88");
  CHECK_THAT(sum_of(found), WithinAbs(100, 1e-9));

  result::JobSummary job;
  job.span = TimeSpan{at(0), at(100)};
  job.training_loop_start = at(10);
  CHECK(text_of(aggregate::time_accounting(
            job, aggregate::step_series(events, aggregate::EventKinds{events}))) ==
        "initialization 10, PROFILED 12, unattributed 78");
}

} // namespace test_time_accounting

#include "aggregate/steps.h"
#include "result/framework.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <numeric>

namespace test_steps {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::at;

namespace {

std::vector<aggregate::StepSeries> series_of(const job::EventTable& events) {
  return aggregate::step_series(events, aggregate::EventKinds{events});
}

/// Steps of these durations, one after the other.
aggregate::StepSeries lasting(const std::vector<double>& seconds) {
  std::vector<test::Event> list;
  double now = 0;
  for (const double duration : seconds) {
    list.push_back({.phase = "Step:ModeKeys.TRAIN",
                    .start = now,
                    .duration = duration,
                    .step = static_cast<std::int64_t>(list.size())});
    now += duration;
  }
  return series_of(test::events(list)).at(0);
}

std::int64_t sum_of(const result::Histogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0});
}

/// A slow first step, 95 of one second and 5 of two.
std::vector<double> with_outliers() {
  std::vector<double> seconds(101, 1.0);
  seconds[0] = 30;
  for (const std::size_t slow : {20U, 40U, 60U, 80U, 100U})
    seconds[slow] = 2;
  return seconds;
}

} // namespace

TEST_CASE("steps go by process and mode, TRAIN first, and by time") {
  const auto all = series_of(test::steps({{"PREDICT", 9, 1, "algo-1-2"},
                                          {"EVAL", 5, 1, "algo-1-10"},
                                          {"EVAL", 5, 1, "algo-1-2"},
                                          {"TRAIN", 3, 1, "algo-1-2"},
                                          {"GLOBAL", 3, 1, "algo-1-2"},
                                          {"TRAIN", 1, 1, "algo-1-2"}}));
  std::vector<std::string> names;
  for (const aggregate::StepSeries& series : all)
    names.push_back(series.process + " " + series.mode);
  CHECK(names == std::vector<std::string>{"algo-1-2 TRAIN", "algo-1-2 EVAL", "algo-1-2 GLOBAL",
                                          "algo-1-2 PREDICT", "algo-1-10 EVAL"});
  REQUIRE(all[0].steps.size() == 2);
  CHECK(all[0].steps[0].span == TimeSpan{at(1), at(2)});
  CHECK(all[0].node == "algo-1");
}

TEST_CASE("steps of many rows are those of a few, one after the other") {
  std::vector<test::Step> list; // of two processes in turn, more than one core looks at
  constexpr std::size_t kSteps = 50'000;
  for (std::size_t i = 0; i < kSteps; ++i)
    for (const char* process : {"algo-1-1", "algo-2-1"})
      list.push_back({i % 100 == 0 ? "EVAL" : "TRAIN", static_cast<double>(i), 1, process});
  const auto all = series_of(test::steps(list));
  REQUIRE(all.size() == 4);
  for (const aggregate::StepSeries& series : all) {
    INFO(series.process << ' ' << series.mode);
    const bool is_eval = series.mode == result::kEvalMode;
    REQUIRE(series.steps.size() == (is_eval ? kSteps / 100 : kSteps - kSteps / 100));
    std::size_t next = is_eval ? 0 : 1;
    bool in_order = true;
    for (const aggregate::Step& step : series.steps) {
      in_order = in_order && step.span.first == at(static_cast<double>(next));
      next += is_eval ? 100 : next % 100 == 99 ? 2 : 1;
    }
    CHECK(in_order);
  }
}

TEST_CASE("what is no step makes no series") {
  CHECK(series_of({}).empty());
  CHECK(series_of(test::events({{.phase = "Forward", .duration = 1}})).empty());
}

TEST_CASE("a step has a number where one was recorded") {
  const auto all = series_of(test::events(
      {{.phase = "Step:ModeKeys.TRAIN", .step = 7}, {.phase = "Step:ModeKeys.TRAIN", .start = 1}}));
  CHECK(all.at(0).steps[0].number == 7);
  CHECK_FALSE(all[0].steps[1].number);
}

TEST_CASE("two recordings of a process are one series") {
  const auto all = series_of(test::events(
      {{.phase = "Step:ModeKeys.TRAIN", .kind = job::TimelineKind::python},
       {.phase = "Step:ModeKeys.TRAIN", .start = 1, .kind = job::TimelineKind::model}}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].steps.size() == 2);
}

TEST_CASE("outliers are found without the step that warms up") {
  // numpy: mean and std of [1.0] * 95 + [2.0] * 5 are 1.05 and 0.21794494717703367
  const aggregate::StepSeries series = lasting(with_outliers());
  const auto found = aggregate::find_outliers(series, 3);
  REQUIRE(found);
  CHECK_THAT(found->stddev, WithinAbs(0.21794494717703367, 1e-12));
  CHECK_THAT(found->threshold, WithinAbs(1.703834841531101, 1e-12));
  CHECK(found->outlying == std::vector<std::size_t>{20, 40, 60, 80, 100});
  CHECK(aggregate::find_outliers(series, 5)->outlying.empty()); // 1.05 + 5 * 0.218 is above 2
}

TEST_CASE("a hundred steps are too few to tell an outlier") {
  std::vector<double> seconds = with_outliers();
  seconds.pop_back();
  const aggregate::StepSeries series = lasting(seconds);
  CHECK_FALSE(aggregate::find_outliers(series, 3));
  const auto row = aggregate::step_row(series, 3);
  CHECK_FALSE(row.threshold);
  CHECK_FALSE(row.outliers);
  CHECK(row.outlying.empty());
  CHECK(sum_of(row.histogram) == 100);
}

TEST_CASE("a row of steps has all their figures") {
  const auto row = aggregate::step_row(lasting(with_outliers()), 3);
  CHECK(row.process == "algo-1-27");
  CHECK(row.mode == "TRAIN");
  CHECK(row.count == 101);
  CHECK(row.total == 135); // 30 + 95 + 10
  CHECK_THAT(row.mean, WithinAbs(135.0 / 101, 1e-12));
  CHECK(row.first == 30);
  CHECK(row.max == 30);
  CHECK(row.p99 == 2);
  CHECK(row.p50 == 1);
  CHECK(row.min == 1);
  CHECK(row.outliers == 5);
  REQUIRE(row.outlying.size() == 5);
  CHECK(row.outlying[0].number == 20);
  CHECK(row.outlying[0].start == at(49)); // 30 + 19 * 1
  CHECK(row.outlying[0].seconds == 2);
  CHECK(sum_of(row.histogram) == 95); // of the steps below the threshold
  CHECK(row.histogram.counts.size() == 100);
}

TEST_CASE("a long list of outliers keeps the longest") {
  std::vector<double> seconds(5001, 1.0);
  for (std::size_t i = 0; i < 250; ++i)
    seconds[20 * (i + 1)] = 2 + static_cast<double>(i) / 1000;
  const auto row = aggregate::step_row(lasting(seconds), 3);
  CHECK(row.outliers == 250);
  REQUIRE(row.outlying.size() == result::kMaxOutliers);
  CHECK(row.outlying.front().seconds == 2.249);
  CHECK(row.outlying.front().number == 5000);
  CHECK(row.outlying.back().seconds == 2.05);
  CHECK(sum_of(row.histogram) + *row.outliers == row.count);
}

TEST_CASE("few steps have no spread") {
  CHECK_FALSE(aggregate::step_row(lasting({1}), 3).stddev);
  CHECK_FALSE(aggregate::step_row(lasting({1, 2}), 3).stddev);
  CHECK(aggregate::step_row(lasting({9, 2, 4}), 3).stddev == 1); // of 2 and 4
  CHECK(aggregate::step_row(lasting({0}), 3).mean == 0);
}

TEST_CASE("steps of one length are all in the histogram") {
  // Their threshold is their length, which 128 steps after the first sum to exactly.
  const auto row = aggregate::step_row(lasting(std::vector<double>(129, 0.5)), 3);
  CHECK(row.threshold == 0.5);
  CHECK(row.outliers == 0);
  CHECK(sum_of(row.histogram) == 129);
}

TEST_CASE("a file without a clock leaves the process's other steps theirs") {
  const auto all = series_of(test::events(
      {{.phase = "Step:ModeKeys.TRAIN", .start = 1, .duration = 1, .clock_known = false},
       {.phase = "Step:ModeKeys.TRAIN", .start = 5, .duration = 1}}));
  REQUIRE(all.size() == 1);
  REQUIRE(all[0].steps.size() == 2);
  CHECK(all[0].steps[0].clock_known);
  CHECK(all[0].steps[0].span.first == at(5));
  CHECK_FALSE(all[0].steps[1].clock_known);
}

TEST_CASE("an outlying step without a clock has a length and no moment") {
  std::vector<test::Event> list;
  for (int i = 0; i < 200; ++i)
    list.push_back({.phase = "Step:ModeKeys.TRAIN", .start = i * 2.0, .duration = 1});
  list[50].duration = 1.9;
  list[60].duration = 1.8;
  list[60].clock_known = false;
  const auto row = aggregate::step_row(series_of(test::events(list)).at(0), 3);
  REQUIRE(row.outlying.size() == 2);
  CHECK(row.outlying[0].start == at(100));
  CHECK_FALSE(row.outlying[1].start);
  CHECK(row.outlying[1].seconds == 1.8);
}

TEST_CASE("more modes than any framework has become one") {
  std::vector<test::Event> list;
  for (int i = 0; i < 100; ++i)
    list.push_back(
        {.phase = "Step:ModeKeys.M" + std::to_string(i), .start = 1.0 * i, .duration = 1});
  const job::EventTable events = test::events(list);
  const auto all = aggregate::step_series(events, aggregate::EventKinds{events});
  REQUIRE(all.size() == aggregate::kMaxModes + 1);
  std::size_t others = 0;
  for (const aggregate::StepSeries& series : all)
    if (series.mode == "other modes") others = series.steps.size();
  CHECK(others == 100 - aggregate::kMaxModes);
}

TEST_CASE("rows of steps say what they are from") {
  const job::EventTable events = test::steps({{"TRAIN", 0, 1}, {"PROFILED", 5, 1}});
  const auto series = aggregate::step_series(events, aggregate::EventKinds{events});
  CHECK(aggregate::step_row(series[0], 3).source == result::kFromTimelines);
  CHECK(aggregate::step_row(series[1], 3).source == result::kFromTraces);
}

TEST_CASE("medians of blocks tell how speed varies, without the first step") {
  // 20 steps after the first: four blocks of five, of 1, 2, 3 and 4 seconds but for one step each.
  std::vector<double> seconds = {30};
  for (const double usual : {1.0, 2.0, 3.0, 4.0})
    for (const double duration : {usual, usual, 9.0, usual, usual})
      seconds.push_back(duration);
  const auto row = aggregate::step_row(lasting(seconds), 3);
  REQUIRE(row.block_medians.size() == 4);
  for (std::size_t block = 0; block < 4; ++block)
    CHECK_THAT(row.block_medians[block], WithinAbs(static_cast<double>(block + 1), 1e-9));
}

TEST_CASE("of fewer steps than four blocks each is a block, the first one too") {
  CHECK(aggregate::step_row(lasting(std::vector<double>(20, 1.0)), 3).block_medians.size() == 20);
  CHECK(aggregate::step_row(lasting(std::vector<double>(21, 1.0)), 3).block_medians.size() == 4);
  CHECK(aggregate::step_row(lasting({3, 1, 2}), 3).block_medians == std::vector<double>{3, 1, 2});
}

TEST_CASE("many steps are twenty blocks, and each step is in one") {
  // 1,003 steps after the first do not divide by twenty: blocks differ by one step at most.
  std::vector<double> seconds = {30};
  for (int i = 0; i < 1003; ++i)
    seconds.push_back(1 + i / 1003.0);
  const auto row = aggregate::step_row(lasting(seconds), 3);
  REQUIRE(row.block_medians.size() == result::kMaxBlocks);
  for (std::size_t block = 0; block < row.block_medians.size(); ++block)
    CHECK_THAT(row.block_medians[block],
               WithinAbs(1 + (static_cast<double>(block) + 0.5) / 20, 0.002));
}

} // namespace test_steps

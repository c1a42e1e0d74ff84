#include "aggregate/activity.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_activity {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using result::ActivityRow;
using test::at;
using test::Event;

namespace {

result::Activity activity_of(const std::vector<Event>& list,
                             const aggregate::ActivityWindows& windows,
                             aggregate::ActivityScope scope = aggregate::ActivityScope::node) {
  const job::EventTable events = test::events(list);
  const aggregate::EventKinds kinds{events};
  return aggregate::activity(events, kinds, aggregate::step_series(events, kinds), windows, scope);
}

/// Two steps with a gap of two seconds, in which data is loaded, and an operator.
std::vector<Event> two_steps() {
  return {{.phase = "Step:ModeKeys.TRAIN", .start = 0, .duration = 10},
          {.phase = "Step:ModeKeys.TRAIN", .start = 12, .duration = 10},
          {.phase = "DataLoaderIter", .start = 10, .duration = 2},
          {.phase = "cpu_functions", .name = "relu", .start = 5, .duration = 10},
          {.phase = "ring",
           .name = "ALLREDUCE",
           .start = 19,
           .duration = 2,
           .kind = job::TimelineKind::horovod}};
}

const ActivityRow& row_of(const result::Activity& found, const std::string& name) {
  for (const ActivityRow& row : found.rows)
    if (row.name == name) return row;
  FAIL("no row " << name);
  return found.rows.front();
}

void check(const ActivityRow& row, const std::string& group, double inside, double inside_percent,
           double outside_percent) {
  CHECK(row.group == group);
  CHECK_THAT(row.inside_seconds, WithinAbs(inside, 1e-9));
  CHECK_THAT(row.inside_percent, WithinAbs(inside_percent, 1e-9));
  REQUIRE(row.outside_percent);
  CHECK_THAT(*row.outside_percent, WithinAbs(outside_percent, 1e-9));
}

} // namespace

TEST_CASE("work inside the windows stands against work outside") {
  const auto found = activity_of(two_steps(), {{"algo-1", {{at(10), at(20)}}}});
  CHECK(found.inside_seconds == 10);
  CHECK(found.outside_seconds == 12);
  check(row_of(found, "Step:ModeKeys.TRAIN"), "phase", 8, 80, 100);
  check(row_of(found, "others"), "phase", 2, 20, 0);
  check(row_of(found, "relu"), "cpu_operator", 5, 100, 100); // of the 10 s in which any ran
  check(row_of(found, "DataLoaderIter"), "general", 2, 20, 0);
  check(row_of(found, "ALLREDUCE"), "collective", 1, 10, 100 * 1.0 / 12);
  CHECK(found.group_seconds.at("phase") == 10);
  CHECK(found.group_seconds.at("cpu_operator") == 5);
}

TEST_CASE("windows that overlap or reach beyond the recording count once") {
  const auto found = activity_of(
      two_steps(), {{"algo-1", {{at(12), at(17)}, {at(10), at(15)}, {at(20), at(500)}}}});
  CHECK(found.inside_seconds == 9); // 10 to 17 and 20 to 22
  CHECK(found.outside_seconds == 13);
  check(row_of(found, "Step:ModeKeys.TRAIN"), "phase", 7, 100 * 7.0 / 9, 100);
}

TEST_CASE("events before, in, between, across and behind windows, back and forth") {
  const std::vector<TimeSpan> windows = {{at(10), at(20)}, {at(30), at(40)}};
  std::vector<Event> list;
  double inside = 0;
  for (const double start : {0., 12., 13., 22., 24., 35., 9., 5., 19., 28., 45., 11., 38., 0.}) {
    list.push_back({.phase = "DataLoaderIter", .start = start, .duration = 3});
    for (const TimeSpan& window : windows)
      inside += std::max(
          0., in_seconds(std::min(window.last, at(start + 3)) - std::max(window.first, at(start))));
  }
  const auto found = activity_of(list, {{"algo-1", windows}});
  CHECK_THAT(row_of(found, "DataLoaderIter").inside_seconds, WithinAbs(inside, 1e-9));
}

TEST_CASE("windows hold for their own process or node only") {
  std::vector<Event> list = two_steps();
  list.push_back({.phase = "Forward", .start = 0, .duration = 22, .process = "algo-1-28"});
  list.push_back({.phase = "checkpoint", .duration = 22, .process = "x", .node = "algo-2"});
  const auto by_process =
      activity_of(list, {{"algo-1-27", {{at(10), at(20)}}}}, aggregate::ActivityScope::process);
  CHECK(row_of(by_process, "Step:ModeKeys.TRAIN").inside_seconds == 8);
  CHECK(by_process.group_seconds.at("general") == 2); // no Forward, no checkpoint
  const auto by_node = activity_of(list, {{"algo-1", {{at(10), at(20)}}}});
  CHECK(by_node.group_seconds.at("general") == 12);
  CHECK(activity_of(list, {{"algo-3", {{at(10), at(20)}}}}).empty());
}

TEST_CASE("several nodes' windows add up") {
  std::vector<Event> list = two_steps();
  for (Event event : two_steps()) {
    event.node = "algo-2";
    event.process = "algo-2-1";
    list.push_back(event);
  }
  const auto found =
      activity_of(list, {{"algo-1", {{at(10), at(20)}}}, {"algo-2", {{at(0), at(4)}}}});
  CHECK(found.inside_seconds == 14);
  CHECK(found.outside_seconds == 30);
  check(row_of(found, "Step:ModeKeys.TRAIN"), "phase", 12, 100 * 12.0 / 14, 100 * 28.0 / 30);
  check(row_of(found, "others"), "phase", 2, 100 * 2.0 / 14, 100 * 2.0 / 30);
}

TEST_CASE("a long group is cut to its busiest, its sum is not") {
  std::vector<Event> list;
  for (int i = 0; i < 20; ++i)
    list.push_back({.phase = "cpu_functions",
                    .name = "op" + std::to_string(i),
                    .start = 0,
                    .duration = i + 1.0});
  const auto found = activity_of(list, {{"algo-1", {{at(0), at(100)}}}});
  REQUIRE(found.rows.size() == result::kMaxActivities);
  CHECK(found.rows.front().name == "op19");
  CHECK(found.rows.back().name == "op5");
  CHECK(found.group_seconds.at("cpu_operator") == 210);
}

TEST_CASE("without events, windows or a clock there is nothing to compare") {
  CHECK(activity_of({}, {{"algo-1", {{at(0), at(1)}}}}).empty());
  CHECK(activity_of(two_steps(), {}).empty());
  std::vector<Event> adrift = two_steps();
  for (Event& event : adrift)
    event.clock_known = false;
  const auto found = activity_of(adrift, {{"algo-1", {{at(0), at(1)}}}});
  CHECK(found.empty());
  CHECK(found.inside_seconds == 0);
}

TEST_CASE("windows without length, or outside of what was recorded, have no activity") {
  CHECK(activity_of(two_steps(), {{"algo-1", {{at(3), at(3)}}}}).empty());
  CHECK(activity_of(two_steps(), {{"algo-1", {{at(-9), at(-5)}}}}).empty());
}

TEST_CASE("operators recorded for a few steps only are compared within these") {
  // Both steps spend half their time in an operator; nothing else of the hour was profiled.
  std::vector<Event> list = {{.phase = "Step:ModeKeys.TRAIN", .start = 0, .duration = 3600}};
  for (const double start : {0.0, 2.0})
    list.push_back({.phase = "cpu_functions", .name = "mm", .start = start, .duration = 1});
  list.push_back({.phase = "cpu_functions", .name = "empty", .start = 3, .duration = 1});
  const auto found = activity_of(list, {{"algo-1", {{at(0), at(2)}}}});
  check(row_of(found, "mm"), "cpu_operator", 1, 50, 50);
}

TEST_CASE("operators of which none was recorded outside the windows are compared with nothing") {
  const auto found = activity_of(two_steps(), {{"algo-1", {{at(4), at(16)}}}});
  const ActivityRow& relu = row_of(found, "relu");
  CHECK(relu.inside_percent == 100);
  CHECK_FALSE(relu.outside_percent);
}

TEST_CASE("the few steps of a trace are not compared with hours") {
  std::vector<Event> list = two_steps();
  for (Event& event : list)
    event.kind = job::TimelineKind::pytorch_profiler;
  CHECK(activity_of(list, {{"algo-1", {{at(0), at(100)}}}}).empty());
}

} // namespace test_activity

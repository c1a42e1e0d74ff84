#include "aggregate/framework.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_framework {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using result::ShareRow;
using test::Event;

namespace {

result::Framework framework_of(const job::EventTable& events) {
  const aggregate::EventKinds kinds{events};
  return aggregate::framework_metrics(events, kinds, aggregate::step_series(events, kinds));
}

double sum_of(const std::vector<ShareRow>& rows) {
  double sum = 0;
  for (const ShareRow& row : rows)
    sum += row.percent;
  return sum;
}

void check(const ShareRow& row, const std::string& name, double seconds, double percent) {
  CHECK(row.name == name);
  REQUIRE(row.seconds);
  CHECK_THAT(*row.seconds, WithinAbs(seconds, 1e-9));
  CHECK_THAT(row.percent, WithinAbs(percent, 1e-9));
}

} // namespace

TEST_CASE("a process's loop is its modes and all the time between them") {
  // SageMaker shows half of the time between steps: 7.5 s here.
  const auto rows =
      framework_of(test::steps({{"TRAIN", 10, 10}, {"EVAL", 45, 5}, {"TRAIN", 30, 10}})).phase;
  REQUIRE(rows.size() == 3);
  check(rows[0], "Step:ModeKeys.TRAIN", 20, 50);
  check(rows[1], "Step:ModeKeys.EVAL", 5, 12.5);
  check(rows[2], "others", 15, 37.5);
  CHECK(rows[0].process == "algo-1-27");
  CHECK(rows[0].calls == 2);
  CHECK_FALSE(rows[2].calls);
}

TEST_CASE("the time between steps is never negative") {
  const auto rows =
      framework_of(test::steps({{"TRAIN", 0, 10}, {"TRAIN", 5, 10}, {"EVAL", 2, 9}})).phase;
  REQUIRE(rows.size() == 3);
  check(rows[0], "Step:ModeKeys.TRAIN", 15, 100);
  check(rows[1], "Step:ModeKeys.EVAL", 0, 0);
  check(rows[2], "others", 0, 0);
}

TEST_CASE("every process has a whole of its own") {
  const auto rows = framework_of(test::steps({{"TRAIN", 0, 1, "algo-1-1"},
                                              {"TRAIN", 3, 1, "algo-1-1"},
                                              {"TRAIN", 9, 1, "algo-2-1"},
                                              {"TRAIN", 0, 1, "algo-2-1"}}))
                        .phase;
  REQUIRE(rows.size() == 4);
  check(rows[0], "Step:ModeKeys.TRAIN", 2, 50);
  check(rows[3], "others", 8, 80);
  CHECK(rows[3].process == "algo-2-1");
}

TEST_CASE("a loop needs no known clock, but some length") {
  const auto rows =
      framework_of(
          test::events(
              {{.phase = "Step:ModeKeys.TRAIN", .start = 1, .duration = 3, .clock_known = false},
               {.phase = "Step:ModeKeys.TRAIN", .start = 4, .duration = 1, .clock_known = false}}))
          .phase;
  check(rows.at(0), "Step:ModeKeys.TRAIN", 4, 100);
  CHECK(framework_of(test::steps({{"TRAIN", 5, 0}})).phase.empty());
}

TEST_CASE("general work goes by phase, collectives by name, the largest first") {
  const auto found = framework_of(
      test::events({{.phase = "DataLoaderIter", .duration = 1},
                    {.phase = "checkpoint", .duration = 6},
                    {.phase = "DataLoaderIter", .start = 2, .duration = 2},
                    {.phase = "DataLoaderWorker", .duration = 1},
                    {.phase = "Step:ModeKeys.TRAIN", .duration = 50},
                    {.phase = "cpu_functions", .name = "relu", .duration = 50},
                    {.phase = "tensor 1",
                     .name = "ALLREDUCE",
                     .duration = 3,
                     .kind = job::TimelineKind::horovod},
                    {.phase = "tensor 2",
                     .name = "ALLREDUCE",
                     .duration = 3,
                     .kind = job::TimelineKind::horovod},
                    {.phase = "tensor 1", .name = "TICK", .kind = job::TimelineKind::horovod},
                    {.phase = "NcclManager", .name = "BROADCAST", .duration = 2}}));
  REQUIRE(found.general.size() == 3);
  check(found.general[0], "checkpoint", 6, 60);
  check(found.general[1], "DataLoaderIter", 3, 30);
  CHECK(found.general[1].calls == 2);
  check(found.general[2], "DataLoaderWorker", 1, 10);
  REQUIRE(found.collectives.size() == 2); // what takes no time has no part
  check(found.collectives[0], "ALLREDUCE", 6, 75);
  check(found.collectives[1], "BROADCAST", 2, 25);
}

TEST_CASE("forward stands against backward, by whole passes where there are any") {
  std::vector<Event> list = {{.phase = "Forward-SubModuleInternal", .duration = 3},
                             {.phase = "Backward-SubModuleInternal", .duration = 1}};
  auto rows = framework_of(test::events(list)).forward_backward;
  REQUIRE(rows.size() == 2);
  check(rows[0], "Forward pass", 3, 75);
  check(rows[1], "Backward pass", 1, 25);
  list.push_back({.phase = "Forward", .duration = 2});
  list.push_back({.phase = "Backward(post-forward)", .duration = 6});
  rows = framework_of(test::events(list)).forward_backward;
  REQUIRE(rows.size() == 2);
  check(rows[0], "Backward pass", 6, 75);
  check(rows[1], "Forward pass", 2, 25);
}

TEST_CASE("the ratio is of the time that threads and streams were busy") {
  const auto rows =
      framework_of(test::events({{.phase = "cpu_functions", .name = "linear", .duration = 1},
                                 {.phase = "cpu_functions", .name = "addmm", .duration = 1},
                                 {.phase = "gpu_functions-dev:0", .name = "gemm", .duration = 3}}))
          .ratio;
  REQUIRE(rows.size() == 2);
  check(rows[0], "gpu_functions-dev:0", 3, 75);
  check(rows[1], "cpu_functions", 1, 25); // two nested operators, one second
}

TEST_CASE("a long list of shares ends with all the rest in one") {
  std::vector<Event> list;
  for (int i = 0; i < 150; ++i)
    list.push_back({.phase = "phase " + std::to_string(i), .duration = i + 1.0});
  const auto rows = framework_of(test::events(list)).general;
  REQUIRE(rows.size() == 100);
  CHECK(rows[0].name == "phase 149");
  CHECK(rows[99].name.empty());
  CHECK(rows[99].other_count == 51);
  CHECK(label_of(rows[99]) == "and 51 more");
  CHECK(rows[99].calls == 51);
  CHECK(rows[99].seconds == 51 * 52 / 2);
  CHECK_THAT(sum_of(rows), WithinAbs(100, 1e-9));
  list.resize(100);
  CHECK(framework_of(test::events(list)).general.back().name == "phase 0");
}

TEST_CASE("no events make no figures") {
  const auto found = framework_of({});
  CHECK(found.phase.empty());
  CHECK(found.general.empty());
  CHECK(found.forward_backward.empty());
  CHECK(found.ratio.empty());
  CHECK(found.collectives.empty());
  CHECK(found.cpu_operators.count == 0);
  CHECK_FALSE(found.recorded_by_sagemaker);
}

TEST_CASE("a file without a clock does not stretch a process's loop over decades") {
  const auto rows =
      framework_of(
          test::events(
              {{.phase = "Step:ModeKeys.TRAIN", .start = 0, .duration = 2},
               {.phase = "Step:ModeKeys.EVAL", .start = 5, .duration = 1, .clock_known = false},
               {.phase = "Step:ModeKeys.TRAIN", .start = 1, .duration = 1, .clock_known = false},
               {.phase = "Step:ModeKeys.TRAIN", .start = 6, .duration = 2}}))
          .phase;
  REQUIRE(rows.size() == 2);
  check(rows[0], "Step:ModeKeys.TRAIN", 4, 50);
  CHECK(rows[0].calls == 2);
  check(rows[1], "others", 4, 50);
}

TEST_CASE("profiled steps are no phases, since the time between them was not recorded") {
  const auto found =
      framework_of(test::steps({{"PROFILED", 0, 5}, {"PROFILED", 500, 5}, {"TRAIN", 0, 5, "b"}}));
  REQUIRE(found.phase.size() == 2);
  CHECK(found.phase[0].process == "b");
  CHECK(found.operator_source.empty());
}

TEST_CASE("operators say that they are of timelines") {
  CHECK(framework_of(test::events({{.phase = "cpu_functions", .name = "mm", .duration = 1}}))
            .operator_source == result::kFromTimelines);
}

} // namespace test_framework

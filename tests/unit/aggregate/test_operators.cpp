#include "aggregate/framework.h"
#include "support.h"
#include "util/interval_set.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <numeric>
#include <random>

namespace test_operators {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::Event;

using Times = std::vector<Microseconds>;

namespace {

aggregate::OperatorTimes times_of(const std::vector<Event>& list,
                                  aggregate::EventKind kind = aggregate::EventKind::cpu_operator) {
  const job::EventTable events = test::events(list);
  return aggregate::operator_times(events, aggregate::EventKinds{events}, kind);
}

Event op(const std::string& name, double start, double duration) {
  return {.phase = "cpu_functions", .name = name, .start = start, .duration = duration};
}

struct Interval {
  Microseconds start = 0;
  Microseconds end = 0;
};

/// Of an operator each, all on one track, in the order given.
Times self_times(const std::vector<Interval>& intervals) {
  std::vector<Event> list;
  for (const Interval& interval : intervals)
    list.push_back(op(std::to_string(list.size()), in_seconds(interval.start),
                      in_seconds(interval.end - interval.start)));
  Times times(intervals.size(), -1);
  for (const result::OperatorRow& row : times_of(list).table.rows)
    times[std::stoul(row.name)] = *row.self_us;
  return times;
}

} // namespace

TEST_CASE("self time leaves out what ran inside") {
  CHECK(self_times({}).empty());
  CHECK(self_times({{0, 100}, {10, 40}, {20, 30}, {50, 60}}) == Times{60, 20, 10, 10});
  CHECK(self_times({{20, 30}, {50, 60}, {10, 40}, {0, 100}}) == Times{10, 10, 20, 60});
}

TEST_CASE("of equal intervals one has the time") {
  CHECK(self_times({{0, 10}, {0, 10}, {0, 10}, {0, 10}}) == Times{0, 0, 0, 10});
}

TEST_CASE("overlapping intervals share no moment") {
  CHECK(self_times({{0, 10}, {5, 15}}) == Times{5, 10});
  CHECK(self_times({{0, 20}, {0, 10}, {5, 30}}) == Times{0, 5, 25});
}

TEST_CASE("intervals that only touch keep all of their time") {
  CHECK(self_times({{0, 10}, {10, 20}}) == Times{10, 10});
}

TEST_CASE("an interval without length takes nothing") {
  CHECK(self_times({{0, 10}, {5, 5}, {0, 0}, {10, 10}, {20, 20}}) == Times{10, 0, 0, 0, 0});
}

TEST_CASE("each moment belongs to the interval that started last") {
  std::mt19937 random{7};
  for (int round = 0; round < 200; ++round) {
    std::vector<Interval> intervals;
    std::vector<TimeSpan> spans;
    for (std::size_t i = 0; i < 2 + random() % 8; ++i) {
      const Microseconds start = static_cast<Microseconds>(random() % 12);
      intervals.push_back({start, start + static_cast<Microseconds>(random() % 9)});
      spans.push_back({start, intervals.back().end});
    }
    Times expected(intervals.size());
    for (Microseconds moment = 0; moment < 20; ++moment) {
      std::size_t owner = intervals.size();
      for (std::size_t i = 0; i < intervals.size(); ++i) {
        const Interval& interval = intervals[i];
        if (moment < interval.start || moment >= interval.end) continue;
        const bool later = owner == intervals.size() || interval.start > intervals[owner].start ||
                           (interval.start == intervals[owner].start &&
                            interval.end <= intervals[owner].end); // the inner one
        if (later) owner = i;
      }
      if (owner < intervals.size()) ++expected[owner];
    }
    const Times found = self_times(intervals);
    CHECK(found == expected);
    CHECK(std::accumulate(found.begin(), found.end(), Microseconds{0}) ==
          total_length(merged(spans)));
  }
}

TEST_CASE("four nested operators count once") {
  const auto found = times_of({op("conv2d", 0, 1), op("convolution", 0.1, 0.8),
                               op("_convolution", 0.1, 0.8), op("cudnn_convolution", 0.2, 0.6)});
  REQUIRE(found.table.rows.size() == 4);
  double self_percent = 0;
  std::int64_t self = 0;
  for (const result::OperatorRow& row : found.table.rows) {
    self += *row.self_us;
    self_percent += *row.self_percent;
    CHECK(row.calls == 1);
  }
  CHECK(self == 1'000'000); // the totals sum to 3.2 s
  CHECK_THAT(self_percent, WithinAbs(100, 1e-9));
  CHECK(found.table.rows[0].name == "cudnn_convolution");
  CHECK(found.table.rows[0].self_us == 600'000);
  CHECK(found.table.rows[1].name == "conv2d");
  CHECK(found.table.rows[1].total_us == 1'000'000);
  CHECK(found.table.rows[1].self_us == 200'000);
  CHECK_THAT(found.table.rows[1].percent, WithinAbs(100 / 3.2, 1e-9));
  REQUIRE(found.busy.size() == 1);
  CHECK(found.busy[0].name == "cpu_functions");
  CHECK(found.busy[0].seconds == 1);
  CHECK(found.busy[0].calls == 4);
}

TEST_CASE("threads, devices and processes do not nest in each other") {
  std::vector<Event> list(4, op("relu", 0, 1));
  list[1].thread = 2;
  list[2].process = "algo-1-28";
  list[3].clock_known = false; // a duration needs no clock
  CHECK(times_of(list).table.rows.at(0).self_us == 4'000'000);
  CHECK(times_of(list).table.rows.at(0).calls == 4);
  const std::vector<Event> kernels = {
      {.phase = "gpu_functions-dev:0", .name = "gemm", .duration = 1},
      {.phase = "gpu_functions-dev:1", .name = "gemm", .duration = 2},
      op("gemm", 0, 9)};
  const auto found = times_of(kernels, aggregate::EventKind::gpu_operator);
  CHECK(found.table.rows.at(0).self_us == 3'000'000);
  REQUIRE(found.busy.size() == 2);
  CHECK(found.busy[1].name == "gpu_functions-dev:1");
  CHECK(found.busy[1].seconds == 2);
}

TEST_CASE("a long list of operators is cut, its percents are of all") {
  std::vector<Event> list;
  for (int i = 0; i < 600; ++i)
    list.push_back(op("op" + std::to_string(i), i, i < 100 ? 0.5 : 0.25));
  const auto table = times_of(list).table;
  CHECK(table.count == 600);
  REQUIRE(table.rows.size() == result::kMaxOperators);
  CHECK(table.rows[99].self_us == 500'000);
  CHECK(table.rows[100].self_us == 250'000);
  CHECK_THAT(table.rows[0].percent, WithinAbs(100 * 0.5 / 175, 1e-9)); // 100 * 0.5 + 500 * 0.25
}

TEST_CASE("operators without time or none at all divide nothing by nothing") {
  const auto still = times_of({op("tick", 1, 0)});
  CHECK(still.table.rows.at(0).percent == 0);
  CHECK(still.table.rows[0].self_percent == 0);
  CHECK(times_of({}).table.rows.empty());
  CHECK(times_of({{.phase = "Forward", .duration = 1}}).busy.empty());
}

} // namespace test_operators

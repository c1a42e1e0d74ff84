#include "chart/reduce.h"
#include "util/sample_times.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace test_reduce {

using namespace debrief;
using namespace debrief::chart;
using debrief::chart::Column; // not util's, where both are known

namespace {

constexpr float kBlank = std::numeric_limits<float>::quiet_NaN();

struct Series {
  std::vector<Microseconds> times;
  std::vector<float> values;

  operator Samples() const { return {times, values, {}, {}}; }
};

/// A value every half second, counting up.
Series regular(std::size_t count) {
  Series out;
  for (std::size_t at = 0; at < count; ++at) {
    out.times.push_back(static_cast<Microseconds>(at) * kSecond / 2);
    out.values.push_back(static_cast<float>(at));
  }
  return out;
}

std::size_t gaps(const std::vector<Column>& columns) {
  std::size_t count = 0;
  for (std::size_t at = 1; at < columns.size(); ++at)
    if (columns[at].after_gap) ++count;
  return count;
}

} // namespace

TEST_CASE("Columns have the least, the mean and the greatest of their samples") {
  const Series series = regular(100);
  const auto columns = reduce(series, {{0, series.times.back()}, 10, kSecond});
  REQUIRE(columns.size() == 10);
  CHECK(columns[0].least == 0);
  CHECK(columns[0].mean == 4.5);
  CHECK(columns[0].greatest == 9);
  CHECK(columns[0].time == 4.5 * 500'000);
  CHECK(columns[9].greatest == 99);
  CHECK(gaps(columns) == 0);
}

TEST_CASE("Each sample is in the column that the grid says, whatever the widths") {
  const std::vector<std::pair<Microseconds, std::size_t>> shapes = {
      {999'983, 7}, {1'000'000, 10}, {101, 100}};
  for (const auto& [length, count] : shapes) {
    const Grid grid{{17, 17 + length}, count, kHour};
    Series series;
    for (Microseconds time = 17; time <= 17 + length; time += 1 + length / 977) {
      series.times.push_back(time);
      series.values.push_back(static_cast<float>(time));
    }
    std::vector<Microseconds> first(count, -1);
    std::vector<Microseconds> last(count, -1);
    for (const Microseconds time : series.times) {
      Microseconds& begin = first[grid.column(time)];
      if (begin < 0) begin = time;
      last[grid.column(time)] = time;
    }
    std::size_t filled = 0;
    for (const Column& column : reduce(series, grid)) {
      CHECK(column.first == first[column.index]);
      CHECK(column.last == last[column.index]);
      ++filled;
    }
    CHECK(filled == count);
  }
}

TEST_CASE("Least and greatest of parts are kept, and never exclude the value itself") {
  const Series series = regular(2);
  const std::vector<float> least = {-5, 3};
  const std::vector<float> greatest = {7, 0};
  const auto columns =
      reduce({series.times, series.values, least, greatest}, {{0, kSecond}, 1, kSecond});
  REQUIRE(columns.size() == 1);
  CHECK(columns[0].least == -5);
  CHECK(columns[0].greatest == 7);
}

TEST_CASE("A gap stays a gap, and what was not sampled is not zero") {
  Series series = regular(40);
  for (std::size_t at = 20; at < 40; ++at)
    series.times[at] += 10 * kSecond;
  const Grid grid = grid_for({0, series.times.back()}, usual_interval(series.times), 1000);
  CHECK(grid.columns == 59); // no finer than the samples
  CHECK(grid.gap == 5 * kSecond / 2);
  CHECK(gaps(reduce(series, grid)) == 1);

  series = regular(40);
  for (std::size_t at = 10; at < 20; ++at)
    series.values[at] = kBlank;
  const auto columns = reduce(series, grid_for({0, series.times.back()}, kSecond / 2, 1000));
  CHECK(gaps(columns) == 1);
  for (const Column& column : columns)
    CHECK((column.mean < 10 || column.mean >= 20));
  const auto drawn = cells(columns, 39);
  CHECK(std::isnan(drawn[14]));
  CHECK(drawn[2] == 2);
}

TEST_CASE("A single missing sample is no gap, and its cell is not blank") {
  Series series = regular(10);
  series.values[5] = kBlank;
  const auto columns = reduce(series, {{0, series.times.back()}, 9, max_interval(kSecond / 2)});
  CHECK(gaps(columns) == 0);
  CHECK(cells(columns, 9)[5] == 4);
}

TEST_CASE("One sample, equal times, no time at all") {
  const Series one = regular(1);
  const auto columns = reduce(one, grid_for({0, 0}, usual_interval(one.times), 100));
  REQUIRE(columns.size() == 1);
  CHECK(columns[0].time == 0);

  const Series equal{{7, 7, 7}, {1, 2, 6}};
  const auto same = reduce(equal, every_sample({7, 7}, usual_interval(equal.times)));
  REQUIRE(same.size() == 1);
  CHECK(same[0].mean == 3);
  CHECK(reduce(Samples{}, {{0, 0}, 1, 0}).empty());
}

TEST_CASE("Samples outside the span are left out") {
  const Series series = regular(10);
  const auto columns = reduce(series, {{kSecond, 2 * kSecond}, 10, kSecond});
  CHECK(columns.size() == 3);
}

TEST_CASE("Several series are one: mean of means, least and greatest of all") {
  const Series a{{0, kSecond}, {10, 20}};
  const Series b{{100, kSecond - 100}, {30, 60}};
  const Grid grid{{0, kSecond}, 2, 5 * kSecond};
  const auto merged = merge({reduce(a, grid), reduce(b, grid)}, grid);
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].mean == 20);
  CHECK(merged[0].least == 10);
  CHECK(merged[0].greatest == 30);
  CHECK(merged[1].mean == 40);
  CHECK(merged[1].first == kSecond - 100);
  CHECK(gaps(merged) == 0);
}

} // namespace test_reduce

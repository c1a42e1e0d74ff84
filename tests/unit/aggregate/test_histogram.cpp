#include "aggregate/statistics.h"

#include <catch2/catch_test_macros.hpp>

#include <numeric>

namespace test_histogram {

using namespace debrief;

using Counts = std::vector<std::int64_t>;

namespace {

std::int64_t sum_of(const result::Histogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0});
}

} // namespace

TEST_CASE("no values make no histogram") {
  CHECK(aggregate::histogram({}, 100).empty());
  CHECK(aggregate::histogram({}, 100).edges.empty());
}

TEST_CASE("a single value stands in the middle of one unit") {
  // numpy.histogram([5.25], 100)
  const auto found = aggregate::histogram(std::vector{5.25}, 100);
  REQUIRE(found.edges.size() == 101);
  CHECK(found.edges.front() == 4.75);
  CHECK(found.edges.back() == 5.75);
  CHECK(found.counts[50] == 1);
  CHECK(sum_of(found) == 1);
  CHECK(aggregate::histogram(std::vector<double>(7, 5.25), 100).counts[50] == 7);
}

TEST_CASE("values on edges fall where numpy puts them") {
  // numpy.histogram([i / 10 for i in range(11)], 10): 0.3 lies below the edge that rounding made of
  // it, 0.30000000000000004, and the largest value lies in the last bin.
  std::vector<double> values;
  for (int i = 0; i <= 10; ++i)
    values.push_back(i / 10.0);
  const auto found = aggregate::histogram(values, 10);
  CHECK(found.counts == Counts{1, 1, 2, 0, 1, 2, 1, 0, 1, 2});
  CHECK(found.edges == std::vector{0.0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6000000000000001,
                                   0.7000000000000001, 0.8, 0.9, 1.0});
  // numpy.histogram([0.3, 0.6, 0.9, 1.2, 1.5], 4)
  CHECK(aggregate::histogram(std::vector{0.3, 0.6, 0.9, 1.2, 1.5}, 4).counts == Counts{1, 1, 1, 2});
}

TEST_CASE("many values are counted as numpy counts them") {
  // numpy.histogram([(i * i % 97) / 10 for i in range(200)], 7)
  std::vector<double> values;
  for (int i = 0; i < 200; ++i)
    values.push_back((i * i % 97) / 10.0);
  const auto found = aggregate::histogram(values, 7);
  CHECK(found.counts == Counts{42, 26, 20, 32, 20, 24, 36});
  CHECK(found.edges == std::vector{0.0, 1.3714285714285714, 2.742857142857143, 4.114285714285714,
                                   5.485714285714286, 6.857142857142858, 8.228571428571428, 9.6});
}

TEST_CASE("every value is in a bin whose edges enclose it") {
  for (const std::size_t bins : {1U, 2U, 3U, 7U, 100U}) {
    std::vector<double> values;
    for (int i = 0; i <= 50; ++i)
      values.push_back(1.1 + 1.1 * i / 50);
    const auto found = aggregate::histogram(values, bins);
    CHECK(sum_of(found) == 51);
    Counts expected(bins);
    for (const double value : values)
      for (std::size_t bin = 0; bin < bins; ++bin)
        if (value >= found.edges[bin] && (value < found.edges[bin + 1] || bin + 1 == bins))
          ++expected[bin];
    CHECK(found.counts == expected);
  }
}

TEST_CASE("the busiest samples are not lost") {
  // SageMaker's edges end at 98, so that its histogram has none of these three.
  const auto found =
      aggregate::percent_histogram(std::vector<double>{0, 1.99, 2, 97.99, 98, 99, 100});
  REQUIRE(found.counts.size() == 50);
  CHECK(found.edges.front() == 0);
  CHECK(found.edges[49] == 98);
  CHECK(found.edges.back() == 100);
  CHECK(found.counts[0] == 2);
  CHECK(found.counts[1] == 1);
  CHECK(found.counts[48] == 1);
  CHECK(found.counts[49] == 3);
}

TEST_CASE("percents that cannot be stay at the ends") {
  const auto found = aggregate::percent_histogram(std::vector<double>{-5, -1e300, 100.5, 1e300});
  CHECK(found.counts.front() == 2);
  CHECK(found.counts.back() == 2);
  CHECK(sum_of(aggregate::percent_histogram({})) == 0);
}

} // namespace test_histogram

#include "aggregate/trace/intervals.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace test_intervals {

using namespace debrief;

namespace {

constexpr int kMoments = 60;

/// Which of the first moments are in it; the plain way to check every operation.
std::uint64_t bits(const std::vector<aggregate::NsInterval>& intervals) {
  std::uint64_t found = 0;
  for (const aggregate::NsInterval& interval : intervals)
    for (Nanoseconds at = interval.start; at < interval.end; ++at)
      found |= std::uint64_t{1} << at;
  return found;
}

bool is_set(const aggregate::IntervalSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set[i].start >= set[i].end || (i > 0 && set[i].start <= set[i - 1].end)) return false;
  return true;
}

std::vector<aggregate::NsInterval> random_intervals(std::mt19937& random) {
  std::vector<aggregate::NsInterval> intervals(random() % 8);
  for (aggregate::NsInterval& interval : intervals) {
    interval.start = static_cast<Nanoseconds>(random() % kMoments);
    interval.end =
        std::min<Nanoseconds>(kMoments, interval.start + static_cast<Nanoseconds>(random() % 16));
  }
  return intervals;
}

} // namespace

TEST_CASE("a set is the union of intervals in any order; what touches is one, what is empty none") {
  CHECK(aggregate::to_set({{50, 60}, {10, 20}, {20, 30}, {15, 18}, {40, 40}, {45, 44}}) ==
        aggregate::IntervalSet{{10, 30}, {50, 60}});
  CHECK(aggregate::to_set({}).empty());
}

TEST_CASE("a list takes up what begins within its last interval") {
  std::vector<aggregate::NsInterval> list;
  for (const aggregate::NsInterval& next :
       {aggregate::NsInterval{10, 20}, {12, 14}, {15, 25}, {25, 30}, {5, 12}, {40, 40}, {50, 60}})
    aggregate::add_interval(list, next);
  CHECK(list == std::vector<aggregate::NsInterval>{{10, 30}, {5, 12}, {50, 60}});
  CHECK(aggregate::to_set(list) == aggregate::IntervalSet{{5, 30}, {50, 60}});
}

TEST_CASE("sets of intervals are joined, cut and measured") {
  const aggregate::IntervalSet a{{0, 10}, {20, 30}, {40, 50}};
  const aggregate::IntervalSet b{{5, 25}, {28, 42}};
  CHECK(aggregate::set_union(a, b) == aggregate::IntervalSet{{0, 50}});
  CHECK(aggregate::intersection(a, b) ==
        aggregate::IntervalSet{{5, 10}, {20, 25}, {28, 30}, {40, 42}});
  CHECK(aggregate::difference(a, b) == aggregate::IntervalSet{{0, 5}, {25, 28}, {42, 50}});
  CHECK(aggregate::clip(a, {5, 41}) == aggregate::IntervalSet{{5, 10}, {20, 30}, {40, 41}});
  CHECK(aggregate::clip(a, {10, 20}).empty());
  CHECK(aggregate::length(a) == 30);
  CHECK(aggregate::intersection_length(a, b) == 14);
  CHECK(aggregate::to_us(1500) == 1.5);
}

TEST_CASE("operations on sets agree with those on single moments") {
  std::mt19937 random{7};
  for (int round = 0; round < 2000; ++round) {
    const auto some = random_intervals(random);
    const aggregate::IntervalSet a = aggregate::to_set(some);
    const aggregate::IntervalSet b = aggregate::to_set(random_intervals(random));
    REQUIRE(bits(a) == bits(some));
    std::vector<aggregate::NsInterval> list;
    for (const aggregate::NsInterval& interval : some)
      aggregate::add_interval(list, interval);
    REQUIRE(aggregate::to_set(list) == a);
    REQUIRE(bits(aggregate::set_union(a, b)) == (bits(a) | bits(b)));
    REQUIRE(bits(aggregate::intersection(a, b)) == (bits(a) & bits(b)));
    REQUIRE(bits(aggregate::difference(a, b)) == (bits(a) & ~bits(b)));
    const aggregate::NsInterval bounds{static_cast<Nanoseconds>(random() % 30),
                                       static_cast<Nanoseconds>(random() % kMoments)};
    REQUIRE(bits(aggregate::clip(a, bounds)) == (bits(a) & bits({bounds})));
    REQUIRE(aggregate::length_within(a, bounds) == aggregate::length(aggregate::clip(a, bounds)));
    REQUIRE(aggregate::length(aggregate::intersection(a, b)) ==
            aggregate::intersection_length(a, b));
    REQUIRE(is_set(a));
    REQUIRE(is_set(aggregate::set_union(a, b)));
    REQUIRE(is_set(aggregate::intersection(a, b)));
    REQUIRE(is_set(aggregate::difference(a, b)));
    REQUIRE(is_set(aggregate::clip(a, bounds)));
  }
}

} // namespace test_intervals

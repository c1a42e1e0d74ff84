#include "aggregate/trace/intervals.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <random>
#include <vector>

using namespace debrief;

namespace {

constexpr int kMoments = 60;

/// Which of the first moments are in it; the plain way to check every operation.
std::uint64_t bits(const std::vector<NsInterval>& intervals) {
  std::uint64_t found = 0;
  for (const NsInterval& interval : intervals)
    for (Nanoseconds at = interval.start; at < interval.end; ++at)
      found |= std::uint64_t{1} << at;
  return found;
}

bool is_set(const IntervalSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set[i].start >= set[i].end || (i > 0 && set[i].start <= set[i - 1].end)) return false;
  return true;
}

std::vector<NsInterval> random_intervals(std::mt19937& random) {
  std::vector<NsInterval> intervals(random() % 8);
  for (NsInterval& interval : intervals) {
    interval.start = static_cast<Nanoseconds>(random() % kMoments);
    interval.end =
        std::min<Nanoseconds>(kMoments, interval.start + static_cast<Nanoseconds>(random() % 16));
  }
  return intervals;
}

} // namespace

TEST_CASE("a set is the union of intervals in any order; what touches is one, what is empty none") {
  CHECK(to_set({{50, 60}, {10, 20}, {20, 30}, {15, 18}, {40, 40}, {45, 44}}) ==
        IntervalSet{{10, 30}, {50, 60}});
  CHECK(to_set({}).empty());
}

TEST_CASE("a list takes up what begins within its last interval") {
  std::vector<NsInterval> list;
  for (const NsInterval& next :
       {NsInterval{10, 20}, {12, 14}, {15, 25}, {25, 30}, {5, 12}, {40, 40}, {50, 60}})
    add_interval(list, next);
  CHECK(list == std::vector<NsInterval>{{10, 30}, {5, 12}, {50, 60}});
  CHECK(to_set(list) == IntervalSet{{5, 30}, {50, 60}});
}

TEST_CASE("sets of intervals are joined, cut and measured") {
  const IntervalSet a{{0, 10}, {20, 30}, {40, 50}};
  const IntervalSet b{{5, 25}, {28, 42}};
  CHECK(set_union(a, b) == IntervalSet{{0, 50}});
  CHECK(intersection(a, b) == IntervalSet{{5, 10}, {20, 25}, {28, 30}, {40, 42}});
  CHECK(difference(a, b) == IntervalSet{{0, 5}, {25, 28}, {42, 50}});
  CHECK(clip(a, {5, 41}) == IntervalSet{{5, 10}, {20, 30}, {40, 41}});
  CHECK(clip(a, {10, 20}).empty());
  CHECK(length(a) == 30);
  CHECK(intersection_length(a, b) == 14);
  CHECK(to_us(1500) == 1.5);
}

TEST_CASE("operations on sets agree with those on single moments") {
  std::mt19937 random{7};
  for (int round = 0; round < 2000; ++round) {
    const auto some = random_intervals(random);
    const IntervalSet a = to_set(some);
    const IntervalSet b = to_set(random_intervals(random));
    REQUIRE(bits(a) == bits(some));
    std::vector<NsInterval> list;
    for (const NsInterval& interval : some)
      add_interval(list, interval);
    REQUIRE(to_set(list) == a);
    REQUIRE(bits(set_union(a, b)) == (bits(a) | bits(b)));
    REQUIRE(bits(intersection(a, b)) == (bits(a) & bits(b)));
    REQUIRE(bits(difference(a, b)) == (bits(a) & ~bits(b)));
    const NsInterval bounds{static_cast<Nanoseconds>(random() % 30),
                            static_cast<Nanoseconds>(random() % kMoments)};
    REQUIRE(bits(clip(a, bounds)) == (bits(a) & bits({bounds})));
    REQUIRE(length_within(a, bounds) == length(clip(a, bounds)));
    REQUIRE(length(intersection(a, b)) == intersection_length(a, b));
    REQUIRE(is_set(a));
    REQUIRE(is_set(set_union(a, b)));
    REQUIRE(is_set(intersection(a, b)));
    REQUIRE(is_set(difference(a, b)));
    REQUIRE(is_set(clip(a, bounds)));
  }
}

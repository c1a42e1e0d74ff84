#include "util/interval_set.h"
#include "util/time.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace test_interval_set {

using namespace debrief;

namespace {

using Spans = std::vector<TimeSpan>;

constexpr int kMoments = 60;

/// Which of the first moments are in it; the plain way to check every operation.
std::uint64_t bits(const std::vector<TimeSpan>& intervals) {
  std::uint64_t found = 0;
  for (const TimeSpan& interval : intervals)
    for (Microseconds at = interval.first; at < interval.last; ++at)
      found |= std::uint64_t{1} << at;
  return found;
}

bool is_set(const IntervalSet<Microseconds>& set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set[i].first >= set[i].last || (i > 0 && set[i].first <= set[i - 1].last)) return false;
  return true;
}

std::vector<TimeSpan> random_intervals(std::mt19937& random) {
  std::vector<TimeSpan> intervals(random() % 8);
  for (TimeSpan& interval : intervals) {
    interval.first = static_cast<Microseconds>(random() % kMoments);
    interval.last =
        std::min<Microseconds>(kMoments, interval.first + static_cast<Microseconds>(random() % 16));
  }
  return intervals;
}

} // namespace

TEST_CASE("overlapping, nested, touching and equal spans become one") {
  CHECK(merged(Spans{{20, 30}, {0, 10}, {5, 15}}) == Spans{{0, 15}, {20, 30}});
  CHECK(merged(Spans{{0, 100}, {10, 20}, {30, 40}}) == Spans{{0, 100}});
  CHECK(merged(Spans{{0, 10}, {10, 20}}) == Spans{{0, 20}});
  CHECK(merged(Spans{{3, 7}, {3, 7}, {3, 9}}) == Spans{{3, 9}});
  CHECK(merged(Spans{}).empty());
}

TEST_CASE("a moment stays a span of its own, or is swallowed") {
  CHECK(merged(Spans{{5, 5}, {9, 9}}) == Spans{{5, 5}, {9, 9}});
  CHECK(merged(Spans{{5, 5}, {0, 10}, {10, 10}}) == Spans{{0, 10}});
}

TEST_CASE("spans at most a gap apart become one") {
  const Spans spans = {{0, 10}, {12, 20}, {23, 30}};
  CHECK(merged(spans, 1) == spans);
  CHECK(merged(spans, 2) == Spans{{0, 20}, {23, 30}});
  CHECK(merged(spans, 3) == Spans{{0, 30}});
}

TEST_CASE("the length of disjoint spans is the sum of theirs") {
  CHECK(total_length(Spans{}) == 0);
  CHECK(total_length(Spans{{0, 10}, {15, 15}, {20, 25}}) == 15);
}

TEST_CASE("a coverage knows how much of a stretch lies in it") {
  const Coverage<Microseconds> coverage{Spans{{10, 20}, {30, 40}, {50, 60}}};
  CHECK(coverage.length() == 30);
  CHECK(coverage.within({0, 100}) == 30);
  CHECK(coverage.within({10, 20}) == 10);
  CHECK(coverage.within({15, 35}) == 10);
  CHECK(coverage.within({20, 30}) == 0);
  CHECK(coverage.within({0, 10}) == 0);
  CHECK(coverage.within({60, 99}) == 0);
  CHECK(coverage.within({32, 38}) == 6);
  CHECK(coverage.within({35, 35}) == 0);
}

TEST_CASE("an empty coverage covers nothing") {
  const Coverage<Microseconds> coverage{Spans{}};
  CHECK(coverage.length() == 0);
  CHECK(coverage.within({0, 100}) == 0);
}

TEST_CASE("the parts of a stretch that is cut anywhere sum to the whole") {
  const Coverage<Microseconds> coverage{merged(Spans{{3, 9}, {9, 9}, {12, 30}, {31, 32}})};
  for (Microseconds cut = 0; cut <= 40; ++cut)
    CHECK(coverage.within({0, cut}) + coverage.within({cut, 40}) == coverage.length());
}

TEST_CASE("what lies outside of others is left of spans") {
  CHECK(difference(Spans{{0, 100}}, Spans{{10, 20}, {30, 40}}) ==
        Spans{{0, 10}, {20, 30}, {40, 100}});
  CHECK(difference(Spans{{0, 10}, {20, 30}}, Spans{{5, 25}}) == Spans{{0, 5}, {25, 30}});
  CHECK(difference(Spans{{0, 10}}, Spans{{0, 10}}).empty());
  CHECK(difference(Spans{{5, 10}}, Spans{{0, 100}}).empty());
  CHECK(difference(Spans{{0, 10}}, Spans{{10, 20}}) == Spans{{0, 10}});
  CHECK(difference(Spans{{10, 20}}, Spans{{0, 10}}) == Spans{{10, 20}});
  CHECK(difference(Spans{{0, 10}}, Spans{}) == Spans{{0, 10}});
  CHECK(difference(Spans{}, Spans{{0, 10}}).empty());
}

TEST_CASE("one span can take a part of several others, and several of one") {
  const Spans spans = {{0, 10}, {12, 14}, {16, 30}};
  CHECK(difference(spans, Spans{{8, 18}}) == Spans{{0, 8}, {18, 30}});
  CHECK(difference(spans, Spans{{1, 2}, {3, 4}, {13, 20}, {29, 40}}) ==
        Spans{{0, 1}, {2, 3}, {4, 10}, {12, 13}, {20, 29}});
}

TEST_CASE("what is left of spans and what is taken sum to them") {
  const Spans spans = {{0, 10}, {12, 14}, {16, 30}, {31, 40}};
  const Coverage<Microseconds> whole{spans};
  for (Microseconds first = 0; first <= 40; ++first)
    for (Microseconds last = first; last <= 40; ++last) {
      const Spans left = difference(spans, Spans{{first, last}});
      CHECK(total_length(left) == total_length(spans) - whole.within({first, last}));
    }
}

TEST_CASE("moments are no time: they take nothing, and nothing is left of them") {
  CHECK(total_length(difference(Spans{{0, 10}}, Spans{{5, 5}})) == 10);
  CHECK(difference(Spans{{5, 5}}, Spans{}).empty());
}

TEST_CASE("spans nearer than the gap are one") {
  GrowingSet<Microseconds> set{10};
  set.add({0, 5});
  set.add({15, 20}); // exactly the gap
  set.add({31, 40}); // one more
  CHECK(set.set() == Spans{{0, 20}, {31, 40}});
  set.add({25, 26}); // bridges both
  CHECK(set.set() == Spans{{0, 40}});
}

TEST_CASE("a set that grows from its end or its middle takes as much room as it has spans") {
  GrowingSet<Microseconds> set{1};
  Spans expected;
  for (Microseconds start = 9'990; start >= 0; start -= 10)
    for (const Microseconds at : {start, 9'990 - start}) // from both sides, and again
      set.add({at, at + 5});
  for (Microseconds start = 0; start <= 9'990; start += 10)
    expected.push_back({start, start + 5});
  CHECK(set.set() == expected);
}

TEST_CASE("the order of adding does not matter") {
  Spans pieces;
  for (Microseconds start = 0; start < 3000; start += 7)
    if (start % 1000 < 800) pieces.push_back({start, start + 3});
  std::mt19937 random{1};
  Spans expected;
  for (int round = 0; round < 20; ++round) {
    GrowingSet<Microseconds> set{50};
    for (const TimeSpan& piece : pieces)
      set.add(piece);
    if (round == 0) {
      expected = set.set();
      CHECK(expected.size() == 3);
    }
    CHECK(set.set() == expected);
    std::shuffle(pieces.begin(), pieces.end(), random);
  }
}

TEST_CASE("a set is the union of intervals in any order; what touches is one, what is empty none") {
  CHECK(to_set(std::vector<TimeSpan>{{50, 60}, {10, 20}, {20, 30}, {15, 18}, {40, 40}, {45, 44}}) ==
        IntervalSet<Microseconds>{{10, 30}, {50, 60}});
  CHECK(to_set(std::vector<TimeSpan>{}).empty());
}

TEST_CASE("a list takes up what begins within its last interval") {
  std::vector<TimeSpan> list;
  for (const TimeSpan& next :
       {TimeSpan{10, 20}, {12, 14}, {15, 25}, {25, 30}, {5, 12}, {40, 40}, {50, 60}})
    add_interval(list, next);
  CHECK(list == std::vector<TimeSpan>{{10, 30}, {5, 12}, {50, 60}});
  CHECK(to_set(list) == IntervalSet<Microseconds>{{5, 30}, {50, 60}});
}

TEST_CASE("sets of intervals are joined, cut and measured") {
  const IntervalSet<Microseconds> a{{0, 10}, {20, 30}, {40, 50}};
  const IntervalSet<Microseconds> b{{5, 25}, {28, 42}};
  CHECK(set_union(a, b) == IntervalSet<Microseconds>{{0, 50}});
  CHECK(intersection(a, b) == IntervalSet<Microseconds>{{5, 10}, {20, 25}, {28, 30}, {40, 42}});
  CHECK(difference(a, b) == IntervalSet<Microseconds>{{0, 5}, {25, 28}, {42, 50}});
  CHECK(clip(a, TimeSpan{5, 41}) == IntervalSet<Microseconds>{{5, 10}, {20, 30}, {40, 41}});
  CHECK(clip(a, TimeSpan{10, 20}).empty());
  CHECK(total_length(a) == 30);
  CHECK(intersection_length(a, b) == 14);
  CHECK(in_microseconds(Nanoseconds{1500}) == 1.5);
}

TEST_CASE("operations on sets agree with those on single moments") {
  std::mt19937 random{7};
  for (int round = 0; round < 2000; ++round) {
    const auto some = random_intervals(random);
    const IntervalSet<Microseconds> a = to_set(some);
    const IntervalSet<Microseconds> b = to_set(random_intervals(random));
    REQUIRE(bits(a) == bits(some));
    std::vector<TimeSpan> list;
    for (const TimeSpan& interval : some)
      add_interval(list, interval);
    REQUIRE(to_set(list) == a);
    REQUIRE(bits(set_union(a, b)) == (bits(a) | bits(b)));
    REQUIRE(bits(intersection(a, b)) == (bits(a) & bits(b)));
    REQUIRE(bits(difference(a, b)) == (bits(a) & ~bits(b)));
    const TimeSpan bounds{static_cast<Microseconds>(random() % 30),
                          static_cast<Microseconds>(random() % kMoments)};
    REQUIRE(bits(clip(a, bounds)) == (bits(a) & bits(std::vector<TimeSpan>{bounds})));
    if (bounds.first <= bounds.last)
      REQUIRE(Coverage<Microseconds>{a}.within(bounds) == total_length(clip(a, bounds)));
    REQUIRE(total_length(intersection(a, b)) == intersection_length(a, b));
    REQUIRE(is_set(a));
    REQUIRE(is_set(set_union(a, b)));
    REQUIRE(is_set(intersection(a, b)));
    REQUIRE(is_set(difference(a, b)));
    REQUIRE(is_set(clip(a, bounds)));
  }
}

} // namespace test_interval_set

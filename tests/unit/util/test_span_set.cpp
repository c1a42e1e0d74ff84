#include "util/span_set.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>

namespace test_span_set {

using namespace debrief;
using Spans = std::vector<TimeSpan>;

TEST_CASE("spans nearer than the gap are one") {
  SpanSet set{10};
  set.add({0, 5});
  set.add({15, 20}); // exactly the gap
  set.add({31, 40}); // one more
  CHECK(set.spans() == Spans{{0, 20}, {31, 40}});
  set.add({25, 26}); // bridges both
  CHECK(set.spans() == Spans{{0, 40}});
}

TEST_CASE("the order of adding does not matter") {
  Spans pieces;
  for (Microseconds start = 0; start < 3000; start += 7)
    if (start % 1000 < 800) pieces.push_back({start, start + 3});
  std::mt19937 random{1};
  Spans expected;
  for (int round = 0; round < 20; ++round) {
    SpanSet set{50};
    for (const TimeSpan& piece : pieces)
      set.add(piece);
    if (round == 0) {
      expected = set.spans();
      CHECK(expected.size() == 3);
    }
    CHECK(set.spans() == expected);
    std::shuffle(pieces.begin(), pieces.end(), random);
  }
}

} // namespace test_span_set

#include "aggregate/spans.h"

#include <catch2/catch_test_macros.hpp>

namespace test_spans {

using namespace debrief;

using Spans = std::vector<TimeSpan>;

TEST_CASE("overlapping, nested, touching and equal spans become one") {
  CHECK(aggregate::merged({{20, 30}, {0, 10}, {5, 15}}) == Spans{{0, 15}, {20, 30}});
  CHECK(aggregate::merged({{0, 100}, {10, 20}, {30, 40}}) == Spans{{0, 100}});
  CHECK(aggregate::merged({{0, 10}, {10, 20}}) == Spans{{0, 20}});
  CHECK(aggregate::merged({{3, 7}, {3, 7}, {3, 9}}) == Spans{{3, 9}});
  CHECK(aggregate::merged({}).empty());
}

TEST_CASE("a moment stays a span of its own, or is swallowed") {
  CHECK(aggregate::merged({{5, 5}, {9, 9}}) == Spans{{5, 5}, {9, 9}});
  CHECK(aggregate::merged({{5, 5}, {0, 10}, {10, 10}}) == Spans{{0, 10}});
}

TEST_CASE("spans at most a gap apart become one") {
  const Spans spans = {{0, 10}, {12, 20}, {23, 30}};
  CHECK(aggregate::merged(spans, 1) == spans);
  CHECK(aggregate::merged(spans, 2) == Spans{{0, 20}, {23, 30}});
  CHECK(aggregate::merged(spans, 3) == Spans{{0, 30}});
}

TEST_CASE("the length of disjoint spans is the sum of theirs") {
  CHECK(aggregate::total_length(Spans{}) == 0);
  CHECK(aggregate::total_length(Spans{{0, 10}, {15, 15}, {20, 25}}) == 15);
}

TEST_CASE("a coverage knows how much of a stretch lies in it") {
  const aggregate::Coverage coverage{{{10, 20}, {30, 40}, {50, 60}}};
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
  const aggregate::Coverage coverage{{}};
  CHECK(coverage.length() == 0);
  CHECK(coverage.within({0, 100}) == 0);
}

TEST_CASE("the parts of a stretch that is cut anywhere sum to the whole") {
  const aggregate::Coverage coverage{aggregate::merged({{3, 9}, {9, 9}, {12, 30}, {31, 32}})};
  for (Microseconds cut = 0; cut <= 40; ++cut)
    CHECK(coverage.within({0, cut}) + coverage.within({cut, 40}) == coverage.length());
}

TEST_CASE("what lies outside of others is left of spans") {
  CHECK(aggregate::without(Spans{{0, 100}}, Spans{{10, 20}, {30, 40}}) ==
        Spans{{0, 10}, {20, 30}, {40, 100}});
  CHECK(aggregate::without(Spans{{0, 10}, {20, 30}}, Spans{{5, 25}}) == Spans{{0, 5}, {25, 30}});
  CHECK(aggregate::without(Spans{{0, 10}}, Spans{{0, 10}}).empty());
  CHECK(aggregate::without(Spans{{5, 10}}, Spans{{0, 100}}).empty());
  CHECK(aggregate::without(Spans{{0, 10}}, Spans{{10, 20}}) == Spans{{0, 10}});
  CHECK(aggregate::without(Spans{{10, 20}}, Spans{{0, 10}}) == Spans{{10, 20}});
  CHECK(aggregate::without(Spans{{0, 10}}, Spans{}) == Spans{{0, 10}});
  CHECK(aggregate::without(Spans{}, Spans{{0, 10}}).empty());
}

TEST_CASE("one span can take a part of several others, and several of one") {
  const Spans spans = {{0, 10}, {12, 14}, {16, 30}};
  CHECK(aggregate::without(spans, Spans{{8, 18}}) == Spans{{0, 8}, {18, 30}});
  CHECK(aggregate::without(spans, Spans{{1, 2}, {3, 4}, {13, 20}, {29, 40}}) ==
        Spans{{0, 1}, {2, 3}, {4, 10}, {12, 13}, {20, 29}});
}

TEST_CASE("what is left of spans and what is taken sum to them") {
  const Spans spans = {{0, 10}, {12, 14}, {16, 30}, {31, 40}};
  const aggregate::Coverage whole{spans};
  for (Microseconds first = 0; first <= 40; ++first)
    for (Microseconds last = first; last <= 40; ++last) {
      const Spans left = aggregate::without(spans, Spans{{first, last}});
      CHECK(aggregate::total_length(left) ==
            aggregate::total_length(spans) - whole.within({first, last}));
    }
}

TEST_CASE("moments are no time: they take nothing, and nothing is left of them") {
  CHECK(aggregate::total_length(aggregate::without(Spans{{0, 10}}, Spans{{5, 5}})) == 10);
  CHECK(aggregate::without(Spans{{5, 5}}, Spans{}).empty());
}

} // namespace test_spans

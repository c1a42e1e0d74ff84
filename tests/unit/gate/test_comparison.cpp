#include "gate/comparison.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace test_comparison {

using namespace debrief::gate;

TEST_CASE("a comparison is a name, an operator and a number") {
  const auto parsed = parse_comparison("  steps.train.p95 <= 80 ms ");
  REQUIRE(parsed);
  CHECK(parsed->name == "steps.train.p95");
  CHECK(parsed->op == Operator::at_most);
  CHECK(parsed->value.number == 80);
  CHECK(parsed->value.unit == "ms");
  CHECK(parse_comparison("gpu[a<b].p50 > 5")->name == "gpu[a<b].p50");
  CHECK(parse_comparison("gradient/*.abs_mean>1e-3")->value.number == 1e-3);
}

TEST_CASE("what lacks a part is no comparison") {
  for (const char* text : {"", "x", "x 5", "> 5", "x >", "x > y", "x = 5", "x > 5 > 6", "x > nan"})
    CHECK_FALSE(parse_comparison(text));
}

TEST_CASE("every operator has its words, and is true just where it is") {
  struct Row {
    Operator op;
    const char* words;
    bool below;
    bool same;
    bool above;
  };

  for (const Row& row : {Row{Operator::less, "less than", true, false, false},
                         Row{Operator::at_most, "at most", true, true, false},
                         Row{Operator::greater, "more than", false, false, true},
                         Row{Operator::at_least, "at least", false, true, true},
                         Row{Operator::equal, "exactly", false, true, false},
                         Row{Operator::unequal, "anything but", true, false, true}}) {
    CHECK(words_for(row.op) == row.words);
    CHECK(holds(4.999, row.op, 5) == row.below);
    CHECK(holds(5, row.op, 5) == row.same);
    CHECK(holds(5.001, row.op, 5) == row.above);
    CHECK_FALSE(holds(std::numeric_limits<double>::quiet_NaN(), row.op, 5));
  }
}

} // namespace test_comparison

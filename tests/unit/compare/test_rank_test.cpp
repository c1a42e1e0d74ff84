#include "compare/rank_test.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_rank_test {

using Catch::Matchers::WithinAbs;
using debrief::compare::min_rank_p_value;
using debrief::compare::rank_p_value;

TEST_CASE("Samples that do not overlap have the smallest p-value of their sizes") {
  // Two of the C(12, 6) = 924 ways to deal twelve values.
  CHECK_THAT(rank_p_value({1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}), WithinAbs(2.0 / 924, 1e-15));
  CHECK_THAT(rank_p_value({7, 8, 9, 10, 11, 12}, {1, 2, 3, 4, 5, 6}), WithinAbs(2.0 / 924, 1e-15));
  CHECK_THAT(min_rank_p_value(6, 6), WithinAbs(2.0 / 924, 1e-15));
  CHECK_THAT(min_rank_p_value(3, 7), WithinAbs(2.0 / 120, 1e-15));
  CHECK(min_rank_p_value(0, 7) == 1);
  CHECK(min_rank_p_value(1, 1) == 1);
}

TEST_CASE("P-values of samples that overlap are counted by hand") {
  // Of the 20 ways to deal ranks 1 to 6 in threes, {1, 2, 3} and {1, 2, 4} sum to 7 or less.
  CHECK_THAT(rank_p_value({1, 2, 4}, {3, 5, 6}), WithinAbs(2 * 2.0 / 20, 1e-15));
  // {1, 3, 5} sums to 9: seven ways sum to 9 or less, since 9 is also {1, 2, 6} and {2, 3, 4}.
  CHECK_THAT(rank_p_value({1, 3, 5}, {2, 4, 6}), WithinAbs(2 * 7.0 / 20, 1e-15));
}

TEST_CASE("Equal values share their rank") {
  CHECK(rank_p_value({1, 1, 1}, {1, 1, 1}) == 1);
  // Ranks 1, 2.5, 2.5 and 4: of six pairs, only {1, 2.5} in its two ways sums to 3.5 or less.
  CHECK_THAT(rank_p_value({1, 2}, {2, 3}), WithinAbs(2 * 2.0 / 6, 1e-15));
}

TEST_CASE("Twenty values on each side are counted exactly, and none is as likely as not") {
  std::vector<double> low;
  std::vector<double> high;
  for (int i = 0; i < 20; ++i) {
    low.push_back(i);
    high.push_back(100 + i);
  }
  CHECK_THAT(rank_p_value(low, high) * 137846528820.0, WithinAbs(2, 1e-9)); // C(40, 20)
  CHECK(rank_p_value({}, {1, 2}) == 1);
}

} // namespace test_rank_test

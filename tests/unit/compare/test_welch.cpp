#include "compare/change.h"
#include "compare/welch.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

namespace test_welch {

using Catch::Matchers::WithinAbs;
using debrief::compare::drift_p_value;
using debrief::compare::welch_p_value;
using Values = std::vector<double>;

TEST_CASE("Welch's p-values of small samples are those of the t distribution in closed form") {
  // Means 1 and 4, variances 2, so t = 3 / sqrt(2) with 2 degrees of freedom, where
  // p = 1 - t / sqrt(2 + t * t).
  CHECK_THAT(*welch_p_value({0, 2}, {3, 5}), WithinAbs(1 - std::sqrt(4.5 / 6.5), 1e-12));
  // The second does not vary: t = 3 with the first's 1 degree, where p = 1 - 2 atan(t) / pi.
  CHECK_THAT(*welch_p_value({0, 2}, {4, 4}), WithinAbs(1 - 2 * std::atan(3.0) / M_PI, 1e-12));
}

TEST_CASE("Welch's p-values of published examples") {
  CHECK_THAT(*welch_p_value({1, 2, 3}, {4, 5, 6}), WithinAbs(0.021311641128756727, 1e-12));
  const Values a = {17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8};
  const Values b = {21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
                    20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8};
  CHECK_THAT(*welch_p_value(a, b), WithinAbs(0.148841696605327, 1e-12));
  CHECK_THAT(*welch_p_value({30.02, 29.99, 30.11, 29.97, 30.01, 29.99},
                            {29.89, 29.93, 29.72, 29.98, 30.02, 29.98}),
             WithinAbs(0.090773324285671, 1e-12));
  CHECK_THAT(*welch_p_value({3.0, 4.0, 1.0, 2.1}, {490.2, 340.0, 433.9}),
             WithinAbs(0.010751561149785, 1e-12));
}

TEST_CASE("Welch's test is symmetric, and means that agree have a p-value of 1") {
  CHECK(*welch_p_value({1, 2, 4}, {3, 7}) == *welch_p_value({3, 7}, {1, 2, 4}));
  CHECK(*welch_p_value({1, 3}, {0, 4}) == 1);
}

TEST_CASE("Far apart means have a p-value near 0, never below") {
  const double p = *welch_p_value({1, 1.001, 0.999, 1, 1}, {9, 9.001, 8.999, 9, 9});
  CHECK(p >= 0);
  CHECK(p < 1e-12);
}

TEST_CASE("Welch's test says nothing about one value, or about values that do not vary") {
  CHECK_FALSE(welch_p_value({}, {1, 2}));
  CHECK_FALSE(welch_p_value({1, 2}, {3}));
  CHECK_FALSE(welch_p_value({0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}));
}

TEST_CASE("Values that drift count for fewer, those that alternate for as many as there are") {
  // Deviations -1.5, -0.5, 0.5, 1.5: products of neighbors sum to 1.25, squares to 5, so r = 0.25
  // and 4 values count for 4 * 0.75 / 1.25 = 2.4. Both have a variance of 5 / 3, so of their means
  // 5 / 3 / 2.4 each; with t * t = 100 / (2 * 5 / 7.2) = 72 and 2.8 degrees of freedom.
  const Values rising = {0, 1, 2, 3};
  const double p = *drift_p_value(rising, {10, 11, 12, 13});
  CHECK(p > *welch_p_value(rising, {10, 11, 12, 13}));
  CHECK_THAT(p, WithinAbs(0.00444308, 5e-9));
  CHECK(*drift_p_value({0, 3, 1, 2}, {10, 13, 11, 12}) ==
        *welch_p_value({0, 3, 1, 2}, {10, 13, 11, 12}));
  CHECK_FALSE(drift_p_value({1, 1, 1}, {2, 2, 2}));
}

} // namespace test_welch

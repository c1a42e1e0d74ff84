#include "aggregate/statistics.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <random>

namespace test_quantiles {

using namespace debrief;
using Catch::Matchers::WithinAbs;

TEST_CASE("quantiles interpolate as numpy does") {
  // numpy.percentile([15, 20, 35, 40, 50], [0, 5, 30, 40, 50, 95, 99, 100])
  std::vector<double> values = {35, 15, 50, 20, 40};
  constexpr std::array kShares = {0.0, 0.05, 0.3, 0.4, 0.5, 0.95, 0.99, 1.0};
  constexpr std::array kExpected = {15.0, 16.0, 23.0, 29.0, 35.0, 48.0, 49.6, 50.0};
  const auto found = aggregate::quantiles(values, kShares);
  REQUIRE(found.size() == kExpected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK_THAT(found[i], WithinAbs(kExpected[i], 1e-12));
}

TEST_CASE("quantiles equal numpy's to the last bit, on every machine") {
  // numpy.percentile of these gives 51.18, 96.334 and 97.68119999999999.
  const aggregate::FiveNumbers numbers = aggregate::five_numbers(
      {51.18, 95.05, 14.42, 94.86, 31.18, 42.33, 82.77, 40.92, 54.96, 2.76,  75.35, 53.81, 32.97,
       78.84, 30.32, 45.35, 13.4,  40.31, 20.35, 26.23, 75.04, 28.04, 48.52, 98.07, 96.17, 72.48,
       54.12, 27.69, 16.07, 96.99, 51.61, 11.59, 62.35, 77.67, 61.3,  91.73, 3.96});
  CHECK(numbers.p50 == 51.18);
  CHECK(numbers.p95 == 96.334);
  CHECK(numbers.p99 == 97.68119999999999);
}

TEST_CASE("one value is all of its quantiles") {
  const aggregate::FiveNumbers numbers = aggregate::five_numbers({7});
  CHECK(numbers.min == 7);
  CHECK(numbers.p50 == 7);
  CHECK(numbers.p99 == 7);
  CHECK(numbers.max == 7);
}

TEST_CASE("quantiles agree with sorting everything") {
  std::mt19937 random{3};
  for (const std::size_t size : {2U, 3U, 10U, 101U, 4096U}) {
    std::vector<double> values(size);
    for (double& value : values)
      value = static_cast<double>(random() % 1000) / 10; // with ties
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto expected = [&](double share) {
      const double position = share * static_cast<double>(size - 1);
      const auto below = static_cast<std::size_t>(position);
      const double above = sorted[std::min(below + 1, size - 1)];
      return sorted[below] + (above - sorted[below]) * (position - static_cast<double>(below));
    };
    const aggregate::FiveNumbers numbers = aggregate::five_numbers(values);
    CHECK(numbers.min == sorted.front());
    CHECK(numbers.max == sorted.back());
    CHECK_THAT(numbers.p50, WithinAbs(expected(0.5), 1e-9));
    CHECK_THAT(numbers.p95, WithinAbs(expected(0.95), 1e-9));
    CHECK_THAT(numbers.p99, WithinAbs(expected(0.99), 1e-9));
  }
}

} // namespace test_quantiles

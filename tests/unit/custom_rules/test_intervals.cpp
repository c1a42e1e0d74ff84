#include "custom_rules/intervals.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_intervals {

using namespace debrief;
using namespace debrief::custom_rules;

namespace {

/// Samples of a second each, from second 100 on; a gap of a minute after those at `gaps`.
struct Samples {
  std::vector<Microseconds> times;
  std::vector<double> values;
};

Samples samples(const std::vector<double>& values, std::size_t gap = SIZE_MAX) {
  Samples out{{}, values};
  for (std::size_t i = 0; i < values.size(); ++i)
    out.times.push_back(static_cast<Microseconds>(100 + i + (i > gap ? 60 : 0)) * kSecond);
  return out;
}

TrueIntervals found(const Samples& given, const std::string& condition) {
  const Condition parsed = parse_condition(condition, "test");
  return true_intervals(given.times, given.values, parsed, parsed.value.number);
}

TimeSpan seconds(Microseconds first, Microseconds last) {
  return {first * kSecond, last * kSecond};
}

} // namespace

TEST_CASE("a condition is true of a series from the sample before it became so") {
  const TrueIntervals just = found(samples({50, 10, 10, 10, 50}), "gpu.util < 30 for 3s");
  REQUIRE(just.spans.size() == 1);
  CHECK(just.spans[0] == seconds(100, 103));
  CHECK(just.violations == 3);
  CHECK(just.looked == 5);
}

TEST_CASE("for just too short a time it is not true") {
  CHECK(found(samples({50, 10, 10, 50, 10, 10}), "gpu.util < 30 for 3s").spans.empty());
  CHECK(found(samples({50, 10, 10, 50, 10, 10}), "gpu.util < 30 for 2s").spans.size() == 2);
  CHECK(found(samples({50, 10, 10, 10, 50}), "gpu.util < 30 for 3001ms").spans.empty());
}

TEST_CASE("a value at the bound counts as the operator says") {
  CHECK(found(samples({50, 30, 30, 50}), "gpu.util < 30").spans.empty());
  CHECK(found(samples({50, 30, 30, 50}), "gpu.util <= 30").spans.size() == 1);
  CHECK(found(samples({50, 30.1, 29.9, 50}), "gpu.util <= 30").violations == 1);
}

TEST_CASE("the first sample stands for no time before it") {
  CHECK(found(samples({10, 10, 50}), "gpu.util < 30 for 2s").spans.empty());
  CHECK(found(samples({10, 10, 50}), "gpu.util < 30 for 1s").spans.at(0) == seconds(100, 101));
}

TEST_CASE("a gap in the samples is a break") {
  const std::vector<double> low(10, 10.0);
  CHECK(found(samples(low), "gpu.util < 30 for 9s").spans.size() == 1);
  CHECK(found(samples(low, 4), "gpu.util < 30 for 6s").spans.empty());
  const TrueIntervals both = found(samples(low, 4), "gpu.util < 30 for 4s");
  REQUIRE(both.spans.size() == 2);
  CHECK(both.spans[0] == seconds(100, 104));
  CHECK(both.spans[1] == seconds(164, 169)); // of a usual interval before the first after the gap
  CHECK(both.longest == 5 * kSecond);
}

TEST_CASE("a statistic is of every window that samples cover") {
  // The median of four samples is below 30 with three of them, and at 30 with two.
  const Samples given = samples({50, 50, 50, 10, 10, 50, 50, 10, 10, 10, 50, 50});
  const TrueIntervals three = found(given, "gpu.util.p50 < 30 for 4s");
  REQUIRE(three.spans.size() == 1);
  CHECK(three.spans[0] == seconds(105, 110)); // windows that end at 109 and 110
  CHECK(three.looked == 8);                   // those from the fifth sample on
  CHECK(three.violations == 2);
  CHECK(found(given, "gpu.util.p50 <= 30 for 4s").violations == 8);
}

TEST_CASE("windows that touch are one interval, others are several") {
  const Samples given = samples({10, 10, 10, 90, 90, 90, 90, 10, 10, 10});
  const TrueIntervals mean = found(given, "gpu.util.mean < 40 for 2s");
  REQUIRE(mean.spans.size() == 2);
  CHECK(mean.spans[0] == seconds(100, 102));
  CHECK(mean.spans[1] == seconds(106, 109));
}

TEST_CASE("no window reaches over a gap") {
  const std::vector<double> low(10, 10.0);
  CHECK(found(samples(low, 4), "gpu.util.max < 30 for 4s").looked == 3);
  CHECK(found(samples(low, 4), "gpu.util.max < 30 for 6s").looked == 0);
  CHECK(found(samples(low, 4), "gpu.util.max < 30 for 6s").longest == 5 * kSecond);
}

TEST_CASE("nothing is said of no samples") {
  CHECK(found({}, "gpu.util < 30").looked == 0);
  CHECK(found({}, "gpu.util.p50 < 30 for 1s").spans.empty());
}

} // namespace test_intervals

#include "embed/packed_arrays.h"
#include "embed/quantize.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>

namespace test_quantize {

using namespace debrief;
using namespace debrief::embed;
using Catch::Matchers::WithinRel;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Numbers = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("percentages are rounded to their scale, and a missing one is missing") {
  const std::vector<float> values = {0, 12.34F, kNan, 100, 99.75F};
  CHECK(quantized(values, 0.01) == Numbers{0, 1234, kNoSample, 10'000, 9975});
  CHECK(quantized(values, 0.5) == Numbers{0, 25, kNoSample, 200, 200});
}

TEST_CASE("the logarithmic scale is right to 0.03 % from a byte to any number") {
  std::vector<float> values = {0, kNan};
  for (float value = 1; value < 1e38F; value *= 3.7F)
    values.push_back(value);
  values.push_back(std::numeric_limits<float>::infinity());
  const Numbers stored = quantized(values, 0);
  CHECK(stored[0] == 0);
  CHECK(stored[1] == kNoSample);
  for (std::size_t i = 2; i + 1 < values.size(); ++i) {
    const double back = std::exp2(stored[i] / kStepsPerDoubling) - 1;
    CHECK_THAT(back, WithinRel(static_cast<double>(values[i]), 0.00045));
    if (values[i] > 10) CHECK_THAT(back, WithinRel(static_cast<double>(values[i]), 0.0003));
  }
  CHECK(stored.back() >= stored[stored.size() - 2]);
  CHECK(stored.back() < kNoSample);
}

TEST_CASE("percentages that are far too great fall back to the logarithmic scale") {
  CHECK(scale_for(std::vector<float>{kNan, 50}, "%", 0.01) == 0.01);
  CHECK(scale_for(std::vector<float>{40'000'000}, "%", 0.01) == 0.01);
  CHECK(scale_for(std::vector<float>{50'000'000}, "%", 0.01) == 0);
  CHECK(scale_for(std::vector<float>{std::numeric_limits<float>::infinity()}, "%", 0.01) == 0);
  CHECK(scale_for(std::vector<float>{1}, "B/s", 0.01) == 0);
}

TEST_CASE("durations keep four digits of their median, and the longest fits") {
  CHECK_THAT(scale_for_durations(std::vector<float>{0.0005F}), WithinRel(1e-6));
  CHECK_THAT(scale_for_durations(std::vector<float>{0.05F, 0.2F, 0.3F}), WithinRel(1e-4));
  CHECK_THAT(scale_for_durations(std::vector<float>{1, 1, 1}), WithinRel(1e-3));
  CHECK_THAT(scale_for_durations(std::vector<float>{0}), WithinRel(1e-6));
  CHECK_THAT(scale_for_durations(std::vector<float>{0.001F, 0.001F, 9000}), WithinRel(1e-5));
}

TEST_CASE("times are as fine as a hundredth of their distance, and the latest fits") {
  const auto scale = [](Microseconds distance, std::size_t count) {
    std::vector<Microseconds> times;
    for (std::size_t i = 0; i < count; ++i)
      times.push_back(5'000'000 + static_cast<Microseconds>(i) * distance);
    return scale_for_times(times, 5'000'000, 100);
  };
  CHECK_THAT(scale(500'000, 10), WithinRel(1.0));
  CHECK_THAT(scale(99'000, 10), WithinRel(0.1));
  CHECK_THAT(scale(100, 10), WithinRel(0.01));
  CHECK_THAT(scale(0, 1), WithinRel(0.01));
  CHECK_THAT(scale_for_times(std::vector<Microseconds>{0, 10, 20, 90'000 * kSecond}, 0, 100),
             WithinRel(0.1));
  CHECK(quantized(std::vector<Microseconds>{5'000'000, 5'500'400, 6'000'600}, 5'000'000, 1) ==
        Numbers{0, 500, 1001});
}

TEST_CASE("a run of samples has their mean, least and greatest, and the first one's time") {
  const std::vector<float> values = {1, 2, kNan, 6, kNan, kNan, kNan, kNan, 5};
  const Thinned found = thinned(values, 4);
  REQUIRE(found.mean.size() == 3);
  CHECK(found.mean[0] == 3);
  CHECK(found.min[0] == 1);
  CHECK(found.max[0] == 6);
  CHECK(std::isnan(found.mean[1]));
  CHECK(std::isnan(found.min[1]));
  CHECK(std::isnan(found.max[1]));
  CHECK(found.max[2] == 5);
  CHECK(thinned(std::vector<Microseconds>{1, 2, 3, 4, 5}, 4) == std::vector<Microseconds>{1, 5});
}

} // namespace test_quantize

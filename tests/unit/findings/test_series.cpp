#include "finding_support.h"
#include "findings/gpu_use.h"
#include "findings/series.h"

namespace test_series {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("a sample stands for the time since the one before it") {
  const std::vector<Microseconds> times = {at(0), at(1), at(2), at(4), at(10), at(11)};
  const findings::Intervals intervals{times};
  CHECK(intervals.usual() == kSecond);
  CHECK(intervals.of(0).length() == 0);
  CHECK(intervals.of(1) == TimeSpan{at(0), at(1)});
  CHECK(intervals.of(3) == TimeSpan{at(2), at(4)});  // a little late
  CHECK(intervals.of(4) == TimeSpan{at(9), at(10)}); // after a gap
}

TEST_CASE("one sample stands for nothing") {
  const std::vector<Microseconds> times = {at(5)};
  const findings::Intervals intervals{times};
  CHECK(intervals.usual() == 0);
  CHECK(intervals.of(0).length() == 0);
}

TEST_CASE("the nearest sample is looked for within reach") {
  result::MetricTimeline metric;
  metric.times = {at(0), at(10), at(11)};
  findings::Nearest nearest{&metric};
  CHECK(nearest.to(at(1), 2 * kSecond) == 0);
  CHECK(nearest.to(at(5), 2 * kSecond) == findings::Nearest::npos);
  CHECK(nearest.to(at(9), 2 * kSecond) == 1);
  CHECK(nearest.to(at(11.4), 2 * kSecond) == 2);
  CHECK(nearest.to(at(20), 2 * kSecond) == findings::Nearest::npos);
  findings::Nearest none{nullptr};
  CHECK(none.to(at(0), kSecond) == findings::Nearest::npos);
}

TEST_CASE("a GPU's use is of the samples it has") {
  result::MetricTimeline gpu;
  for (int i = 0; i <= 4; ++i)
    gpu.times.push_back(at(i));
  gpu.values = {{100, 50, NAN, 0, 100}, {0, 0, 0, 0, 0}, {NAN, NAN, NAN, NAN, NAN}};
  const auto uses = findings::gpu_use(gpu, {at(0), at(3)});
  REQUIRE(uses.size() == 3);
  CHECK(uses[0].used);
  CHECK_THAT(uses[0].lost, WithinAbs(0.75, kClose)); // half and whole a second of two
  CHECK_FALSE(uses[1].used);
  CHECK_FALSE(uses[2].used);
  CHECK(uses[2].lost == 0);
}

} // namespace test_series

#include "finding_support.h"
#include "findings/series.h"

namespace test_series {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("the nearest sample is looked for within reach") {
  aggregate::NodeMetricSeries metric;
  metric.times = {at(0), at(10), at(11)};
  findings::NearestSample nearest{&metric};
  CHECK(nearest.to(at(1), 2 * kSecond) == 0);
  CHECK(nearest.to(at(5), 2 * kSecond) == findings::NearestSample::kNone);
  CHECK(nearest.to(at(9), 2 * kSecond) == 1);
  CHECK(nearest.to(at(11.4), 2 * kSecond) == 2);
  CHECK(nearest.to(at(20), 2 * kSecond) == findings::NearestSample::kNone);
  findings::NearestSample none{nullptr};
  CHECK(none.to(at(0), kSecond) == findings::NearestSample::kNone);
}

TEST_CASE("a GPU's use is of the samples it has") {
  aggregate::NodeMetricSeries gpu;
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

#include "aggregate/node_series.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_node_series {

using namespace debrief;
using test::cpu;
using test::series;

namespace {

job::SeriesBuilder combine(const std::vector<job::MetricSeries>& devices, aggregate::Combine how) {
  std::vector<const job::MetricSeries*> pointers;
  for (const job::MetricSeries& device : devices)
    pointers.push_back(&device);
  return aggregate::combine_devices(pointers, how);
}

} // namespace

TEST_CASE("devices sampled together are averaged moment by moment") {
  std::vector<job::MetricSeries> cores;
  cores.push_back(series("n", cpu(0), {0, 1, 2}, {10, 20, 30}));
  cores.push_back(series("n", cpu(1), {0, 1, 2}, {30, 40, 50}));
  CHECK(combine(cores, aggregate::Combine::mean).values == std::vector<double>{20, 30, 40});
  cores[1].times = cores[0].times; // shared, as reading leaves it: the quick way gives the same
  CHECK(combine(cores, aggregate::Combine::mean).values == std::vector<double>{20, 30, 40});
  CHECK(combine(cores, aggregate::Combine::sum).values == std::vector<double>{40, 60, 80});
}

TEST_CASE("samples a few milliseconds apart are one moment, further apart they are two") {
  std::vector<job::MetricSeries> cores;
  cores.push_back(series("n", cpu(0), {0, 1}, {10, 20}));
  cores.push_back(series("n", cpu(1), {0.019, 1.021}, {30, 40}));
  const job::SeriesBuilder out = combine(cores, aggregate::Combine::mean);
  CHECK(out.values == std::vector<double>{20, 20, 40});
  CHECK(out.times[0] == test::at(0));
}

TEST_CASE("a device that missed a moment does not count as zero") {
  std::vector<job::MetricSeries> cores;
  cores.push_back(series("n", cpu(0), {0, 1, 2}, {10, 20, 30}));
  cores.push_back(series("n", cpu(1), {0, 2}, {30, 50}));
  CHECK(combine(cores, aggregate::Combine::mean).values == std::vector<double>{20, 20, 40});
}

TEST_CASE("fast sampling of one device makes moments of its own") {
  std::vector<job::MetricSeries> cores;
  cores.push_back(series("n", cpu(0), {0, 0.01, 0.02}, {1, 2, 3}));
  CHECK(combine(cores, aggregate::Combine::mean).values == std::vector<double>{1, 2, 3});
  cores.push_back(series("n", cpu(1), {0.001, 0.011, 0.021}, {5, 6, 7}));
  CHECK(combine(cores, aggregate::Combine::mean).values == std::vector<double>{3, 4, 5});
}

TEST_CASE("each device's value is kept moment by moment, and what it missed is missing") {
  std::vector<job::MetricSeries> cores;
  cores.push_back(series("n", cpu(0), {0, 1, 2}, {10, 20, 30}));
  cores.push_back(series("n", cpu(1), {0.01, 2, 3}, {30, 50, 70}));
  const std::vector<const job::MetricSeries*> devices = {&cores[0], &cores[1]};
  const aggregate::Moments scattered = aggregate::combine_each(devices, aggregate::Combine::mean);
  CHECK(scattered.whole.values == std::vector<double>{20, 20, 40, 70});
  CHECK(scattered.whole.times == combine(cores, aggregate::Combine::mean).times);
  REQUIRE(scattered.devices.size() == 2);
  REQUIRE(scattered.devices[0].size() == 4);
  CHECK(scattered.devices[0][2] == 30);
  CHECK(std::isnan(scattered.devices[0][3]));
  REQUIRE(scattered.devices[1].size() == 4);
  CHECK(scattered.devices[1][0] == 30);
  CHECK(std::isnan(scattered.devices[1][1]));
  CHECK(scattered.devices[1][3] == 70);

  cores[1].times = cores[0].times;
  const aggregate::Moments aligned = aggregate::combine_each(devices, aggregate::Combine::sum);
  CHECK(aligned.whole.values == std::vector<double>{40, 70, 100});
  CHECK(aligned.devices[1] == std::vector<float>{30, 50, 70});
}

TEST_CASE("no device gives nothing") {
  CHECK(aggregate::combine_each({}, aggregate::Combine::mean).devices.empty());
  CHECK(combine({}, aggregate::Combine::mean).values.empty());
}

} // namespace test_node_series

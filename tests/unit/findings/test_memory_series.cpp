#include "finding_support.h"
#include "findings/memory_series.h"

namespace test_memory_series {

using namespace debrief;
using namespace debrief::test;

namespace {

findings::MemorySeries gpu_series(const std::vector<double>& values) {
  job::Job job;
  add(job, test::gpu_memory(0), values);
  return findings::memory_use(aggregate::node_series(job), *analyzed(job).job.span).gpus.at(0);
}

findings::MemorySeries of_tenths(std::vector<double> lowest) {
  findings::MemorySeries series;
  series.lowest = std::move(lowest);
  return series;
}

} // namespace

TEST_CASE("a series is told in tenths") {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i)
    values.push_back(10 + i / 40); // 10, 11, ..., 19
  const findings::MemorySeries series = gpu_series(values);
  CHECK(series.node == "algo-1");
  CHECK(series.device == "gpu0");
  REQUIRE(series.lowest.size() == 10);
  for (std::size_t tenth = 0; tenth < 10; ++tenth)
    CHECK(series.lowest[tenth] == 10 + static_cast<double>(tenth));
  CHECK(series.highest == 19);
  CHECK(series.last == 19);
  CHECK(series.jitter == 0);
  CHECK(series.spread == 0);
  CHECK(series.seconds == 199.5);
  CHECK(series.occupied());
  CHECK(series.growth() == 9);
}

TEST_CASE("memory that is read and written, or never held, is not occupied") {
  CHECK(gpu_series(cycle(400, {40, 42})).occupied());
  CHECK_FALSE(gpu_series(cycle(400, {40, 43})).occupied());
  CHECK_FALSE(gpu_series(flat(400, 0)).occupied());
  CHECK_FALSE(gpu_series(flat(220, 20) + flat(180, 40)).occupied()); // a leap within a tenth
}

TEST_CASE("growth is steady, and goes on in the second half") {
  CHECK(of_tenths({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).growth() == 9);
  CHECK(of_tenths({1, 2, 2, 4, 5, 5, 7, 8, 9, 10}).growth() == 0); // seven of nine rise
  CHECK(of_tenths({1, 2, 3, 4, 4, 6, 7, 8, 9, 10}).growth() == 9); // eight of nine do
  CHECK(of_tenths({0, 10, 20, 30, 40, 50, 51, 52, 53, 54}).growth() == 0);
  CHECK(of_tenths({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}).growth() == 0);
}

TEST_CASE("fewer than thirty samples of the loop make no series") {
  job::Job job;
  add(job, kHostMemory, flat(40, 50));
  const std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  CHECK(findings::memory_use(series, {at(0), at(14.5)}).hosts.size() == 1); // 30 samples
  CHECK(findings::memory_use(series, {at(0), at(14)}).hosts.empty());
  CHECK(findings::memory_use({}, {at(0), at(14)}).hosts.empty());
  CHECK(findings::memory_use(series, {at(0), at(20)}).gpus.empty());
}

TEST_CASE("samples that a device missed are left out") {
  job::Job job;
  add(job, test::gpu_memory(0), flat(100, 50));
  std::vector<aggregate::NodeSeries> nodes = aggregate::node_series(job);
  auto& values = nodes.at(0).metrics.at(0).values.at(0);
  for (std::size_t i = 0; i < 60; ++i)
    values[i] = NAN;
  const auto series = findings::memory_use(nodes, {at(0), at(49.5)}).gpus;
  REQUIRE(series.size() == 1);
  CHECK(series[0].lowest.front() == 50);
  CHECK(series[0].seconds == 19.5); // of the 40 that are left
}

} // namespace test_memory_series

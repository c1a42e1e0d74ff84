#include "aggregate/system_usage.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_system_usage {

using namespace debrief;
using test::series;

TEST_CASE("every node has a row for each resource that it recorded") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 1}, {0, 10}));
  job.metrics.push_back(series("algo-1", test::cpu(1), {0, 1}, {20, 30}));
  job.metrics.push_back(
      series("algo-1", {"network", "ReceiveBytesPerSecond", "Algorithm"}, {0, 1}, {100, 200}));
  job.metrics.push_back(
      series("algo-1", {"network", "TransmitBytesPerSecond", "Algorithm"}, {0, 1}, {1, 2}));
  job.metrics.push_back(
      series("algo-1", {"network", "ReceiveBytesPerSecond", "Platform"}, {0, 1}, {9999, 9999}));
  job.metrics.push_back(series("algo-2", {"cpu", "cpu0", "I/OWaitPercentage"}, {0}, {7}));

  const auto rows = aggregate::system_usage(job);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].node == "algo-1");
  CHECK(rows[0].metric == "CPU");
  CHECK(rows[0].unit == "%");
  CHECK(rows[0].min == 10);
  CHECK(rows[0].p50 == 15);
  CHECK(rows[0].max == 20);
  CHECK(rows[0].samples == 2);
  CHECK(rows[1].metric == "Network");
  CHECK(rows[1].unit == "B/s");
  CHECK(rows[1].max == 202);
  CHECK(rows[2].node == "algo-2");
  CHECK(rows[2].metric == "I/O");
}

TEST_CASE("nothing recorded gives no row") {
  CHECK(aggregate::system_usage(job::Job{}).empty());
}

} // namespace test_system_usage

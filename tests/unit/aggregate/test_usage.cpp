#include "aggregate/usage.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <numeric>

namespace test_usage {

using namespace debrief;
using test::series;

namespace {

job::MetricName memory(int device) {
  return {"gpu", "gpu" + std::to_string(device), "GPUMemoryUtilization"};
}

job::Job two_nodes() {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 1, 2}, {10, 20, 30}));
  job.metrics.push_back(series("algo-1", test::cpu(1), {0, 1, 2}, {30, 40, 50}));
  job.metrics.push_back(series("algo-1", {"cpu", "cpu0", "I/OWaitPercentage"}, {0}, {7}));
  job.metrics.push_back(series("algo-1", test::gpu(0), {0, 1, 2, 3}, {10, 40, 20, 30}));
  job.metrics.push_back(series("algo-1", test::gpu(1), {0}, {99}));
  job.metrics.push_back(series("algo-1", memory(1), {0, 1}, {5, 6}));
  job.metrics.push_back(series("algo-2", test::cpu(0), {0}, {1}));
  return job;
}

std::vector<result::DeviceRow> devices_of(const job::Job& job) {
  return aggregate::device_usage(job, aggregate::node_series(job));
}

} // namespace

TEST_CASE("series are told apart by node and by what they measure") {
  const job::Job job = two_nodes();
  const auto nodes = aggregate::devices_by_node(job);
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].node == "algo-1");
  CHECK(nodes[0].cores.size() == 2);
  CHECK(nodes[0].io_wait.size() == 1);
  CHECK(nodes[0].gpus.size() == 2);
  CHECK(nodes[0].gpu_memory.size() == 1);
  CHECK(nodes[1].cores.size() == 1);
  CHECK(nodes[1].gpus.empty());
}

TEST_CASE("a GPU's memory is that of the same device") {
  const job::Job job = two_nodes();
  const auto nodes = aggregate::devices_by_node(job);
  CHECK(nodes[0].memory_of(*nodes[0].gpus[0]) == nullptr);
  REQUIRE(nodes[0].memory_of(*nodes[0].gpus[1]) != nullptr);
  CHECK(nodes[0].memory_of(*nodes[0].gpus[1])->value_span()[0] == 5);
}

TEST_CASE("cores make one row of their mean, every GPU and its memory one of its own") {
  const auto rows = devices_of(two_nodes());
  std::vector<std::string> names;
  for (const result::DeviceRow& row : rows)
    names.push_back(row.node + " " + row.device + " " + to_text(row.metric));
  CHECK(names == std::vector<std::string>{"algo-1 cpu CPU", "algo-1 gpu0 GPU", "algo-1 gpu1 GPU",
                                          "algo-1 gpu1 GPU memory", "algo-2 cpu CPU"});
  CHECK(rows[0].samples == 3);
  CHECK(rows[0].min == 20); // (10 + 30) / 2
  CHECK(rows[0].max == 40);
  CHECK(rows[0].mean == 30);
}

TEST_CASE("a device's figures are numpy's") {
  // numpy.percentile([10, 40, 20, 30], [5, 25, 50, 75, 95])
  const auto row = devices_of(two_nodes()).at(1);
  CHECK(row.samples == 4);
  CHECK(row.mean == 25);
  CHECK(row.p05 == 11.5);
  CHECK(row.p25 == 17.5);
  CHECK(row.p50 == 25);
  CHECK(row.p75 == 32.5);
  CHECK(row.p95 == 38.5);
  CHECK(row.lower == 10); // 17.5 - 22.5 is below the smallest value
  CHECK(row.upper == 40);
  CHECK(std::accumulate(row.histogram.counts.begin(), row.histogram.counts.end(),
                        std::int64_t{0}) == 4);
  CHECK(row.histogram.counts[5] == 1);
}

TEST_CASE("a job without metrics has no devices") {
  CHECK(aggregate::devices_by_node({}).empty());
  CHECK(devices_of({}).empty());
}

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

  const auto rows = aggregate::system_usage(aggregate::node_series(job));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].node == "algo-1");
  CHECK(rows[0].metric == result::Metric::cpu);
  CHECK(rows[0].unit == "%");
  CHECK(rows[0].min == 10);
  CHECK(rows[0].p50 == 15);
  CHECK(rows[0].max == 20);
  CHECK(rows[0].samples == 2);
  CHECK(rows[1].metric == result::Metric::network);
  CHECK(rows[1].unit == "B/s");
  CHECK(rows[1].max == 202);
  CHECK(rows[2].node == "algo-2");
  CHECK(rows[2].metric == result::Metric::io);
}

TEST_CASE("nothing recorded gives no row") {
  CHECK(aggregate::system_usage({}).empty());
}

} // namespace test_usage

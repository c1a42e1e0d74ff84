#include "aggregate/node_series.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_node_series {

using namespace debrief;
using test::at;
using test::cpu;
using test::series;

namespace {

aggregate::CombinedSeries combine(const std::vector<job::MetricSeries>& devices,
                                  aggregate::Combine how) {
  std::vector<const job::MetricSeries*> pointers;
  for (const job::MetricSeries& device : devices)
    pointers.push_back(&device);
  return aggregate::combine_devices(pointers, how);
}

job::MetricName disk(const char* name) {
  return {"i/o", name, ""};
}

job::Job two_nodes() {
  job::Job job;
  for (const char* node : {"algo-2", "algo-10"}) {
    job.metrics.push_back(series(node, test::cpu(0), {0, 1, 2}, {1, 7, 30}));
    job.metrics.push_back(series(node, test::cpu(1), {0.01, 1.5}, {3, 9}));
    job.metrics.push_back(series(node, {"cpu", "cpu0", "I/OWaitPercentage"}, {0}, {0.5}));
    job.metrics.push_back(series(node, test::gpu(0), {0, 1}, {90, 80}));
    job.metrics.push_back(series(node, {"gpu", "gpu0", "GPUMemoryUtilization"}, {0, 1}, {40, 41}));
    job.metrics.push_back(series(node, {"memory", "MemoryUsedPercent", ""}, {0, 1}, {20, 21}));
    job.metrics.push_back(
        series(node, {"network", "TransmitBytesPerSecond", "Algorithm"}, {0, 1}, {1e9, 5}));
    job.metrics.push_back(
        series(node, {"network", "ReceiveBytesPerSecond", "Algorithm"}, {0, 1}, {2, 3}));
    job.metrics.push_back(series(node, disk("IOPS"), {0}, {100}));
  }
  job.metrics.push_back(
      series("algo-10", disk("ReadThroughputInBytesPerSecond"), {0, 1}, {4096, 0}));
  job.metrics.push_back(series("algo-10", disk("WriteThroughputInBytesPerSecond"), {0}, {1024}));
  return job;
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
  const aggregate::CombinedSeries out = combine(cores, aggregate::Combine::mean);
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
  const aggregate::CombinedSeries scattered =
      aggregate::combine_devices(devices, aggregate::Combine::mean);
  CHECK(scattered.values == std::vector<double>{20, 20, 40, 70});
  CHECK(scattered.times == combine(cores, aggregate::Combine::mean).times);
  REQUIRE(scattered.devices.size() == 2);
  REQUIRE(scattered.devices[0].size() == 4);
  CHECK(scattered.devices[0][2] == 30);
  CHECK(std::isnan(scattered.devices[0][3]));
  REQUIRE(scattered.devices[1].size() == 4);
  CHECK(scattered.devices[1][0] == 30);
  CHECK(std::isnan(scattered.devices[1][1]));
  CHECK(scattered.devices[1][3] == 70);

  cores[1].times = cores[0].times;
  const aggregate::CombinedSeries aligned =
      aggregate::combine_devices(devices, aggregate::Combine::sum);
  CHECK(aligned.values == std::vector<double>{40, 70, 100});
  CHECK(aligned.devices[1] == std::vector<float>{30, 50, 70});
}

TEST_CASE("no device gives nothing") {
  CHECK(aggregate::combine_devices({}, aggregate::Combine::mean).devices.empty());
  CHECK(combine({}, aggregate::Combine::mean).values.empty());
}

TEST_CASE("each node has its metrics in the page's order, with units and devices") {
  job::Job job = two_nodes();
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  const std::vector<aggregate::NodeSeries> found = aggregate::node_series(job);
  REQUIRE(found.size() == 2);
  CHECK(found[0].node == "algo-2");
  CHECK(found[1].node == "algo-10");
  std::string text;
  for (const auto& metric : found[0].metrics) {
    text += to_text(metric.metric);
    text += " [" + std::string{job::to_string(metric.unit)} + "]";
    for (const std::string& device : metric.devices)
      text += " " + device;
    text += "; ";
    CHECK(metric.values.size() == metric.devices.size());
    CHECK(metric.combined.size() == metric.times.size());
  }
  CHECK(text == "GPU [%] gpu0; GPU memory [%] gpu0; CPU [%] cpu0 cpu1; I/O [%] cpu0; "
                "CPU memory [%]; Network [B/s] receive transmit; Disk [1/s]; ");

  const auto& network = found[0].metrics[5];
  CHECK(network.combined == std::vector<double>{1'000'000'002, 8});
  CHECK(network.values[0] == std::vector<float>{2, 3});
  const auto& cpu = found[0].metrics[2];
  CHECK(cpu.times == std::vector<Microseconds>{at(0), at(1), at(1.5), at(2)});
  CHECK(cpu.combined == std::vector<double>{2, 7, 9, 30});
  CHECK(std::isnan(cpu.values[1][1]));
  CHECK(cpu.values[1][2] == 9);
}

TEST_CASE("a disk's bytes are shown rather than its operations") {
  job::Job job = two_nodes();
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  const auto disk_metric = aggregate::node_series(job)[1].metrics.back();
  CHECK(disk_metric.metric == result::Metric::disk);
  CHECK(disk_metric.unit == job::Unit::bytes_per_second);
  CHECK(disk_metric.devices == std::vector<std::string>{"read", "write"});
  CHECK(disk_metric.combined == std::vector<double>{5120, 0});
}

TEST_CASE("the page gets the same series, combined ones as floats") {
  job::Job job = two_nodes();
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  const std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  const std::vector<result::NodeTimeline> drawn = aggregate::to_timeline(series);
  REQUIRE(drawn.size() == 2);
  CHECK(drawn[1].node == "algo-10");
  const result::MetricTimeline& network = drawn[0].metrics[5];
  CHECK(network.metric == result::Metric::network);
  CHECK(network.unit == "B/s");
  CHECK(network.times == series[0].metrics[5].times);
  CHECK(network.whole == std::vector<float>{1'000'000'002.0F, 8});
  CHECK(network.devices == std::vector<std::string>{"receive", "transmit"});
  CHECK(network.values[0] == std::vector<float>{2, 3});
}

TEST_CASE("a node or a metric that is not there is not found") {
  job::Job job = two_nodes();
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  const std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  CHECK(aggregate::find_node(series, "algo-10") == &series[1]);
  CHECK(aggregate::find_node(series, "algo-1") == nullptr);
  const aggregate::NodeMetricSeries* cpu = series[0].find(result::Metric::cpu);
  REQUIRE(cpu != nullptr);
  CHECK(cpu->find("cpu1") == &cpu->values[1]);
  CHECK(cpu->find("cpu2") == nullptr);
  CHECK(aggregate::NodeSeries{}.find(result::Metric::cpu) == nullptr);
}

} // namespace test_node_series

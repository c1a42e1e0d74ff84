#include "job/metrics.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_metrics {

using namespace debrief;

TEST_CASE("the recorder's words say what a series measures and in which unit") {
  const auto check = [](const job::MetricName& name, job::Metric metric, job::Unit unit) {
    CHECK(job::classify(name) == metric);
    CHECK(job::unit_of(job::classify(name)) == unit);
  };
  check({"cpu", "cpu0", "CPUUtilization"}, job::Metric::cpu_utilization, job::Unit::percent);
  check({"cpu", "cpu0", "I/OWaitPercentage"}, job::Metric::cpu_io_wait, job::Unit::percent);
  check({"gpu", "gpu0", "GPUUtilization"}, job::Metric::gpu_utilization, job::Unit::percent);
  check({"gpu", "gpu0", "GPUMemoryUtilization"}, job::Metric::gpu_memory, job::Unit::percent);
  check({"memory", "MemoryUsedPercent", ""}, job::Metric::host_memory, job::Unit::percent);
  check({"i/o", "IOPS", ""}, job::Metric::disk_operations, job::Unit::operations_per_second);
  check({"i/o", "ReadThroughputInBytesPerSecond", ""}, job::Metric::disk_read,
        job::Unit::bytes_per_second);
  check({"i/o", "WriteThroughputInBytesPerSecond", ""}, job::Metric::disk_write,
        job::Unit::bytes_per_second);
  check({"network", "ReceiveBytesPerSecond", "Algorithm"}, job::Metric::network_receive,
        job::Unit::bytes_per_second);
  check({"network", "TransmitBytesPerSecond", "Algorithm"}, job::Metric::network_transmit,
        job::Unit::bytes_per_second);
  check({"network", "ReceiveBytesPerSecond", "Platform"}, job::Metric::other, job::Unit::unknown);
  check({"gpu", "gpu0", "GPUPower"}, job::Metric::other, job::Unit::unknown);
}

TEST_CASE("a series has a device where a node has several") {
  CHECK(test::series("algo-1", test::cpu(7), {0}, {1}).device == "cpu7");
  CHECK(test::series("algo-1", {"memory", "MemoryUsedPercent", ""}, {0}, {1}).device.empty());
}

} // namespace test_metrics

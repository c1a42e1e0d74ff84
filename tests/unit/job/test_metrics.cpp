#include "job/metrics.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

using namespace debrief;

TEST_CASE("the recorder's words say what a series measures and in which unit") {
  const auto check = [](const MetricName& name, Metric metric, Unit unit) {
    CHECK(classify(name) == metric);
    CHECK(unit_of(classify(name)) == unit);
  };
  check({"cpu", "cpu0", "CPUUtilization"}, Metric::cpu_utilization, Unit::percent);
  check({"cpu", "cpu0", "I/OWaitPercentage"}, Metric::cpu_io_wait, Unit::percent);
  check({"gpu", "gpu0", "GPUUtilization"}, Metric::gpu_utilization, Unit::percent);
  check({"gpu", "gpu0", "GPUMemoryUtilization"}, Metric::gpu_memory, Unit::percent);
  check({"memory", "MemoryUsedPercent", ""}, Metric::host_memory, Unit::percent);
  check({"i/o", "IOPS", ""}, Metric::disk_operations, Unit::operations_per_second);
  check({"i/o", "ReadThroughputInBytesPerSecond", ""}, Metric::disk_read, Unit::bytes_per_second);
  check({"i/o", "WriteThroughputInBytesPerSecond", ""}, Metric::disk_write, Unit::bytes_per_second);
  check({"network", "ReceiveBytesPerSecond", "Algorithm"}, Metric::network_receive,
        Unit::bytes_per_second);
  check({"network", "TransmitBytesPerSecond", "Algorithm"}, Metric::network_transmit,
        Unit::bytes_per_second);
  check({"network", "ReceiveBytesPerSecond", "Platform"}, Metric::other, Unit::unknown);
  check({"gpu", "gpu0", "GPUPower"}, Metric::other, Unit::unknown);
}

TEST_CASE("a series has a device where a node has several") {
  CHECK(test::series("algo-1", test::cpu(7), {0}, {1}).device == "cpu7");
  CHECK(test::series("algo-1", {"memory", "MemoryUsedPercent", ""}, {0}, {1}).device.empty());
}

TEST_CASE("names sort as people count") {
  CHECK(natural_less("cpu2", "cpu10"));
  CHECK_FALSE(natural_less("cpu10", "cpu2"));
  CHECK(natural_less("algo-1", "algo-2"));
  CHECK(natural_less("algo-9", "algo-10"));
  CHECK(natural_less("cpu", "cpu0"));
  CHECK(natural_less("cpu2", "gpu0"));
  CHECK_FALSE(natural_less("cpu2", "cpu2"));
  CHECK(natural_less("cpu02", "cpu2") !=
        natural_less("cpu2", "cpu02")); // a strict order all the same
}

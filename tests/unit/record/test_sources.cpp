#include "record/gpu.h"
#include "record/machine.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <unistd.h>

namespace debrief::record {

namespace {

using test::Machine;
using test::Sample;

TEST_CASE("a core's share is that of its own time since the last sample") {
  Machine machine;
  machine.file("proc/stat", "cpu  9 9 9 9\ncpu0 100 0 100 700 100 0 0 0 0 0\nintr 1\n");
  const auto source = make_cpu_source(machine.roots(), machine.lines());
  CHECK(machine.sample(*source).empty()); // one look at a counter is no rate
  machine.file("proc/stat", "cpu  9 9 9 9\ncpu0 110 0 115 755 120 0 0 0 0 0\nintr 1\n");
  const Sample sample = machine.sample(*source, 1);
  CHECK(sample == Sample{{"cpu/cpu0/CPUUtilization", 25}, {"cpu/cpu0/I/OWaitPercentage", 20}});
  // No tick went by: neither 0 nor 100 is known.
  CHECK(machine.sample(*source, 0.001).empty());
}

TEST_CASE("I/O wait that runs back does not make a core more than busy") {
  Machine machine;
  machine.file("proc/stat", "cpu0 0 0 0 0 50\n");
  const auto source = make_cpu_source(machine.roots(), machine.lines());
  machine.sample(*source);
  machine.file("proc/stat", "cpu0 10 0 0 0 40\n");
  CHECK(machine.sample(*source, 1) ==
        Sample{{"cpu/cpu0/CPUUtilization", 100}, {"cpu/cpu0/I/OWaitPercentage", 0}});
}

TEST_CASE("memory that is available is not used, and no swap is not empty swap") {
  Machine machine;
  machine.file("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 750 kB\n"
                               "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
  machine.file("proc/loadavg", "1.25 0.5 0.1 1/100 7\n");
  const auto source = make_memory_source(machine.roots(), machine.lines());
  CHECK(machine.sample(*source) == Sample{{"memory/MemoryUsedPercent/", 25},
                                          {"memory/MemoryUsedBytes/", 256000},
                                          {"load/LoadAverage1/", 1.25}});
}

TEST_CASE("OOM kills count from the recording's start") {
  Machine machine;
  machine.file("proc/meminfo", "");
  machine.file("proc/vmstat", "oom_kill 7\n");
  const auto source = make_memory_source(machine.roots(), machine.lines());
  CHECK(machine.sample(*source) == Sample{{"memory/OOMKills/", 0}});
  machine.file("proc/vmstat", "oom_kill 9\n");
  CHECK(machine.sample(*source, 1) == Sample{{"memory/OOMKills/", 2}});
}

constexpr const char* kNetwork = "Inter-| Receive | Transmit\n face |bytes packets|bytes packets\n";

TEST_CASE("network hardware counts, and neither loopback nor what is built on it") {
  Machine machine;
  machine.directory("sys/class/net/eth0/device");
  machine.directory("sys/class/net/docker0");
  const std::string rest = " 0 0 0 0 0 0 0 ";
  machine.file("proc/net/dev", std::string{kNetwork} + "    lo: 5" + rest + "5 0\n  eth0: 1000" +
                                   rest + "50 0\ndocker0: 9" + rest + "9 0\n");
  const auto source = make_network_source(machine.roots(), machine.lines());
  CHECK(machine.sample(*source).empty());
  machine.file("proc/net/dev", std::string{kNetwork} + "    lo: 999" + rest + "999 0\n  eth0:3000" +
                                   rest + "150 0\ndocker0: 999" + rest + "999 0\n");
  CHECK(machine.sample(*source, 2) == Sample{{"network/ReceiveBytesPerSecond/Algorithm", 1000},
                                             {"network/TransmitBytesPerSecond/Algorithm", 50}});
  // A counter that was reset has no rate.
  machine.file("proc/net/dev", std::string{kNetwork} + "  eth0: 1" + rest + "1 0\n");
  CHECK(machine.sample(*source, 2).empty());
}

TEST_CASE("disks are those of hardware") {
  Machine machine;
  machine.directory("sys/block/sda/device");
  machine.directory("sys/block/loop0");
  machine.file("proc/diskstats", "7 0 loop0 1 1 1 1 1 1 1\n8 0 sda 10 0 100 5 20 0 200 5 0 0 0\n"
                                 "8 1 sda1 10 0 100 5 20 0 200 5 0 0 0\n");
  const auto source = make_disk_source(machine.roots(), machine.lines());
  machine.sample(*source);
  machine.file("proc/diskstats", "7 0 loop0 9 9 9 9 9 9 9\n8 0 sda 13 0 102 5 27 0 204 5 0 0 0\n"
                                 "8 1 sda1 13 0 102 5 27 0 204 5 0 0 0\n");
  CHECK(machine.sample(*source, 0.5) == Sample{{"i/o/IOPS/", 20},
                                               {"i/o/ReadThroughputInBytesPerSecond/", 2048},
                                               {"i/o/WriteThroughputInBytesPerSecond/", 4096}});
}

TEST_CASE("pressure is the share of the time in which tasks waited") {
  Machine machine;
  machine.file("proc/pressure/io", "some avg10=9.00 avg60=0.00 avg300=0.00 total=1000000\n"
                                   "full avg10=9.00 avg60=0.00 avg300=0.00 total=500000\n");
  const auto source = make_pressure_source(machine.roots(), machine.lines());
  CHECK(machine.sample(*source).empty());
  machine.file("proc/pressure/io", "some avg10=9.00 avg60=0.00 avg300=0.00 total=1400000\n"
                                   "full avg10=9.00 avg60=0.00 avg300=0.00 total=9500000\n");
  CHECK(machine.sample(*source, 2) ==
        Sample{{"pressure/io/SomePercent", 20}, {"pressure/io/FullPercent", 100}});
}

TEST_CASE("what a machine lacks has no source") {
  Machine machine;
  CHECK(make_cpu_source(machine.roots(), machine.lines()) == nullptr);
  CHECK(make_memory_source(machine.roots(), machine.lines()) == nullptr);
  CHECK(make_network_source(machine.roots(), machine.lines()) == nullptr);
  CHECK(make_disk_source(machine.roots(), machine.lines()) == nullptr);
  CHECK(make_pressure_source(machine.roots(), machine.lines()) == nullptr);
  CHECK(make_cgroup_source(machine.roots(), machine.lines()) == nullptr);
}

TEST_CASE("the tightest limit of version 2 counts, without page cache that can be dropped") {
  Machine machine;
  machine.file("proc/self/cgroup", "0::/pods/pod\n");
  machine.file("sys/fs/cgroup/pods/pod/memory.max", "max\n");
  machine.file("sys/fs/cgroup/pods/pod/cpu.max", "max 100000\n");
  machine.file("sys/fs/cgroup/pods/memory.max", "1000\n");
  machine.file("sys/fs/cgroup/pods/memory.current", "900\n");
  machine.file("sys/fs/cgroup/pods/memory.stat", "anon 1\ninactive_file 150\n");
  machine.file("sys/fs/cgroup/pods/memory.events", "low 0\noom 4\noom_kill 3\n");
  machine.file("sys/fs/cgroup/pods/cpu.max", "250000 100000\n");
  machine.file("sys/fs/cgroup/pods/cpu.stat", "usage_usec 1\nnr_periods 100\nnr_throttled 10\n");
  const auto source = make_cgroup_source(machine.roots(), machine.lines());
  Sample sample = machine.sample(*source);
  CHECK(sample == Sample{{"cgroup/MemoryLimitBytes/", 1000},
                         {"cgroup/MemoryUsedBytes/", 750},
                         {"cgroup/MemoryOfLimitPercent/", 75},
                         {"cgroup/OOMKills/", 0},
                         {"cgroup/CPULimitCores/", 2.5}});
  machine.file("sys/fs/cgroup/pods/memory.events", "low 0\noom 4\noom_kill 4\n");
  machine.file("sys/fs/cgroup/pods/cpu.stat", "usage_usec 1\nnr_periods 110\nnr_throttled 14\n");
  sample = machine.sample(*source, 1);
  CHECK(sample["cgroup/CPUThrottledPercent/"] == 40);
  CHECK(sample["cgroup/OOMKills/"] == 1);
}

TEST_CASE("limits of version 1 are in folders by controller") {
  Machine machine;
  machine.file("proc/self/cgroup", "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n");
  // In a container the path is that outside, and the mount is the group.
  machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000\n");
  machine.file("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  machine.file("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  machine.file("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\noom_kill 1\n");
  machine.file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  machine.file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  const auto source = make_cgroup_source(machine.roots(), machine.lines());
  CHECK(machine.sample(*source) == Sample{{"cgroup/MemoryLimitBytes/", 2000},
                                          {"cgroup/MemoryUsedBytes/", 500},
                                          {"cgroup/MemoryOfLimitPercent/", 25},
                                          {"cgroup/OOMKills/", 0}});
}

/// A line of /proc/PID/stat; a name may look like fields.
std::string stat_of(int pid, int parent, int ticks, int children_ticks, int threads, int pages) {
  return fmt::format("{} (a) b) 7) S {} 1 1 0 -1 0 0 0 0 0 {} 0 {} 0 20 0 {} 0 {} 4096 {} 0\n", pid,
                     parent, ticks, children_ticks, threads, 1000 + pid, pages);
}

TEST_CASE("a tree is the root and all below it, whatever their numbers") {
  Machine machine;
  machine.file("proc/50/stat", stat_of(50, 1, 100, 0, 2, 10));
  machine.file("proc/40/stat", stat_of(40, 60, 10, 0, 1, 3)); // grandchild with a smaller number
  machine.file("proc/60/stat", stat_of(60, 50, 20, 0, 1, 5));
  machine.file("proc/70/stat", stat_of(70, 1, 999, 0, 99, 999));
  machine.file("proc/50/io", "rchar: 9\nread_bytes: 1000\nwrite_bytes: 500\n");
  const auto source = make_process_source(machine.roots(), machine.lines(), 50, nullptr);
  const double page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  CHECK(machine.sample(*source) == Sample{{"process/ResidentBytes/Tree", 18 * page},
                                          {"process/Threads/Tree", 4},
                                          {"process/Processes/Tree", 3}});
  // The grandchild ended; its parent waited for it and has its time.
  std::filesystem::remove_all(machine.roots().proc + "/40");
  machine.file("proc/60/stat", stat_of(60, 50, 20, 60, 1, 5));
  machine.file("proc/50/io", "rchar: 9\nread_bytes: 3000\nwrite_bytes: 500\n");
  const Sample sample = machine.sample(*source, 2);
  CHECK(sample.at("process/CPUCores/Tree") == 50 * tick / 2);
  CHECK(sample.at("process/Processes/Tree") == 2);
  CHECK(sample.at("process/ReadBytesPerSecond/Tree") == 1000);
  CHECK(sample.at("process/WriteBytesPerSecond/Tree") == 0);
}

TEST_CASE("AMD GPUs are read from sysfs, by the numbers of their cards") {
  Machine machine;
  const auto card = [&](int number, const std::string& vendor) {
    const std::string device = fmt::format("sys/class/drm/card{}/device/", number);
    machine.file(device + "vendor", vendor + "\n");
    machine.file(device + "gpu_busy_percent", fmt::format("{}\n", number));
    machine.file(device + "mem_info_vram_total", "1000\n");
    machine.file(device + "mem_info_vram_used", "250\n");
    machine.file(device + "hwmon/hwmon3/power1_average", "150000000\n");
    machine.file(device + "hwmon/hwmon3/temp1_input", "65000\n");
  };
  card(10, "0x1002");
  card(2, "0x1002");
  card(0, "0x10de"); // NVIDIA's
  machine.directory("sys/class/drm/card2-DP-1");
  GpuInventory inventory;
  const auto source = make_amd_source(machine.roots(), machine.lines(), inventory);
  CHECK(inventory.gpus.size() == 2);
  Sample sample = machine.sample(*source);
  CHECK(sample.size() == 10);
  CHECK(sample["gpu/gpu0/GPUUtilization"] == 2);
  CHECK(sample["gpu/gpu1/GPUUtilization"] == 10);
  CHECK(sample["gpu/gpu1/GPUMemoryUtilization"] == 25);
  CHECK(sample["gpu/gpu1/GPUMemoryUsedBytes"] == 250);
  CHECK(sample["gpu/gpu1/GPUPowerWatts"] == 150);
  CHECK(sample["gpu/gpu1/GPUTemperatureCelsius"] == 65);
}

TEST_CASE("GPUs that the job does not see are left out, in the job's own order") {
  const std::vector<std::string> uuids{"GPU-aa1", "GPU-bb2", "GPU-cc3"};
  using Places = std::vector<std::size_t>;
  CHECK(visible_gpus("2,0", uuids) == Places{2, 0});
  CHECK(visible_gpus("GPU-bb", uuids) == Places{1});
  CHECK(visible_gpus("", uuids).empty());
  CHECK(visible_gpus("-1", uuids).empty());
  CHECK(visible_gpus("1,7,0", uuids) == Places{1}); // as CUDA does: nothing after what is unknown
}

} // namespace

} // namespace debrief::record

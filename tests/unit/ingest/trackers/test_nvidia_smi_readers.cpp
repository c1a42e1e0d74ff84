#include "ingest/read_job.h"
#include "ingest/trackers/nvidia_smi_dmon_reader.h"
#include "ingest/trackers/nvidia_smi_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_nvidia_smi_readers {

using namespace debrief;
using Values = std::vector<double>;

ingest::FileReading read(const std::string& text) {
  return test::read_text(ingest::NvidiaSmiReader{}, "gpu.csv", text);
}

ingest::FileReading read_dmon(const std::string& text) {
  return test::read_text(ingest::NvidiaSmiDmonReader{}, "dmon.log", text);
}

Values values(const ingest::FileReading& reading, const std::string& gpu,
              const std::string& dimension) {
  for (const ingest::SeriesPart& part : reading.metrics)
    if (part.name == job::MetricName{"gpu", gpu, dimension}) return part.columns.values;
  return {};
}

TEST_CASE("an nvidia-smi log with units is read by its header") {
  const auto reading =
      read("timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB], "
           "power.draw [W], clocks_event_reasons.active\n"
           "2023/11/14 22:13:20.500, 0, 87 %, 512 MiB, 1024 MiB, 592.74 W, 0x0000000000000004\n"
           "2023/11/14 22:13:20.501, 1, [N/A], 0 MiB, 1024 MiB, [Not Supported], 0x0\n"
           "\n"
           "2023/11/14 22:13:21.500, 0, 88 %, 512 MiB, 1024 MiB, 590 W, 0x0000000000000020\n");
  CHECK(values(reading, "gpu0", "GPUUtilization") == Values{87, 88});
  CHECK(values(reading, "gpu0", "GPUMemoryUtilization") == Values{50, 50});
  CHECK(values(reading, "gpu0", "GPUMemoryUsedBytes") == Values{512 * 1048576.0, 512 * 1048576.0});
  CHECK(values(reading, "gpu0", "GPUPowerWatts") == Values{592.74, 590});
  CHECK(values(reading, "gpu0", "GPUPowerThrottledPercent") == Values{100, 0});
  CHECK(values(reading, "gpu0", "GPUThermalThrottledPercent") == Values{0, 100});
  CHECK(values(reading, "gpu1", "GPUUtilization").empty());
  CHECK(values(reading, "gpu1", "GPUMemoryUtilization") == Values{0});
  CHECK(reading.metrics.front().source == ingest::MetricSource::nvidia_smi);
  CHECK(reading.metrics.front().columns.times.front() == test::at(0.5));
  CHECK(reading.report.skipped.empty());
}

TEST_CASE("an nvidia-smi log without an index has one row for each GPU and tick") {
  const auto reading = read("timestamp, utilization.gpu [%]\n"
                            "2023/11/14 22:13:20.500, 1\n2023/11/14 22:13:20.502, 2\n"
                            "2023/11/14 22:13:21.500, 3\n2023/11/14 22:13:21.502, 4\n");
  CHECK(values(reading, "gpu0", "GPUUtilization") == Values{1, 3});
  CHECK(values(reading, "gpu1", "GPUUtilization") == Values{2, 4});
  CHECK(reading.report.repaired.size() == 1);
}

TEST_CASE("a UUID numbers the GPUs of an nvidia-smi log") {
  const auto reading = read("timestamp, uuid, utilization.gpu [%]\n"
                            "2023/11/14 22:13:20.500, GPU-b, 1\n"
                            "2023/11/14 22:13:22.500, GPU-a, 2\n"
                            "2023/11/14 22:13:24.500, GPU-b, 3\n");
  CHECK(values(reading, "gpu0", "GPUUtilization") == Values{1, 3});
  CHECK(values(reading, "gpu1", "GPUUtilization") == Values{2});
}

TEST_CASE("rows of an nvidia-smi log that are broken are counted") {
  const auto reading = read("timestamp, index, utilization.gpu [%]\n"
                            "yesterday, 0, 1\n"
                            "2023/11/14 22:13:20.500, x, 1\n"
                            "2023/11/14 22:13:20.500, 0\n"
                            "2023/11/14 22:13:20.500, 0, 12345 %\n"
                            "2023/11/14 22:13:21.500, 0, 9");
  CHECK(reading.metrics.empty());
  CHECK(test::count_in(reading.report.skipped, "row of an nvidia-smi log without a time") == 1);
  CHECK(test::count_in(reading.report.skipped, "row of an nvidia-smi log without its GPU") == 1);
  CHECK(test::count_in(reading.report.skipped, "row of an nvidia-smi log with too few cells") == 1);
  CHECK(test::count_in(reading.report.skipped, "percentage that is not a measurement") == 1);
  CHECK(test::count_in(reading.report.skipped, "last line is cut off") == 1);
}

TEST_CASE("a dmon log is read by its header, which is repeated") {
  const auto reading =
      read_dmon("#Date        Time         gpu    pwr  gtemp     sm    mem   fb tviol\n"
                "#YYYYMMDD    HH:MM:SS     Idx      W      C      %      %   MB bool\n"
                " 20231114    22:13:20       0     80     36      7      -    2    1\n"
                " 20231114    22:13:20       1     81     36      8      1    2    0\n"
                "#Date        Time         gpu    pwr     sm\n"
                "#YYYYMMDD    HH:MM:SS     Idx      W      %\n"
                " 20231114    22:13:21       0     90     70\n");
  CHECK(values(reading, "gpu0", "GPUUtilization") == Values{7, 70});
  CHECK(values(reading, "gpu1", "GPUUtilization") == Values{8});
  CHECK(values(reading, "gpu0", "GPUPowerWatts") == Values{80, 90});
  CHECK(values(reading, "gpu0", "GPUMemoryBusyPercent").empty());
  CHECK(values(reading, "gpu0", "GPUThermalThrottledPercent") == Values{100});
  CHECK(values(reading, "gpu0", "GPUMemoryUsedBytes") == Values{2 * 1048576.0});
  CHECK(reading.metrics.front().columns.times.front() == test::at(0));
}

TEST_CASE("a dmon log without times is counted back from the file's last change") {
  const std::string text = "# gpu    pwr     sm\n# Idx      W      %\n"
                           "    0     80     10\n    1     80     20\n"
                           "    0     80     30\n    1     80     40\n";
  CHECK(test::count_in(read_dmon(text).report.skipped, "sample of a dmon log without times") == 8);

  const test::Folder folder;
  folder.write("dmon.log", text);
  const auto changed = std::filesystem::last_write_time(folder.path("dmon.log"));
  const job::Job job = ingest::read_job(folder.path(), {});
  REQUIRE_FALSE(job.metrics.empty());
  const job::MetricSeries& series = job.metrics.front();
  CHECK(series.metric == job::Metric::gpu_utilization);
  REQUIRE(series.size() == 2);
  CHECK(series.time_span()[1] - series.time_span()[0] == kSecond);
  const auto unix_time = std::chrono::time_point_cast<std::chrono::microseconds>(
      std::chrono::file_clock::to_sys(changed));
  CHECK(series.time_span()[1] == unix_time.time_since_epoch().count());
  CHECK(job.reading.repaired.size() == 2); // and it has no zone
}

TEST_CASE("logs of nvidia-smi may end anywhere") {
  const std::string csv =
      "timestamp, index, utilization.gpu [%]\n2023/11/14 22:13:20.500, 0, 87 %\n";
  const std::string dmon = "#Date Time gpu sm\n 20231114 22:13:20 0 77\n";
  for (std::size_t size = 0; size < csv.size(); ++size)
    CHECK(read(csv.substr(0, size)).metrics.empty());
  for (std::size_t size = 0; size < dmon.size(); ++size)
    CHECK(read_dmon(dmon.substr(0, size)).metrics.empty());
}

TEST_CASE("logs of nvidia-smi are known by their headers") {
  CHECK(test::reader_for("x", "timestamp, utilization.gpu [%]\n") == "nvidia-smi log");
  CHECK(test::reader_for("x", "timestamp, price\n").empty());
  CHECK(test::reader_for("x", "# gpu   pwr  sm\n") == "nvidia-smi dmon log");
  CHECK(test::reader_for("x", "# gpu is a word\n").empty());
}

} // namespace test_nvidia_smi_readers

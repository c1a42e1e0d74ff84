#include "finding_support.h"

namespace test_throttled {

using namespace debrief;
using namespace debrief::test;

namespace {

const job::MetricName kHot = {"gpu", "gpu0", "GPUThermalThrottledPercent"};
const job::MetricName kPower = {"gpu", "gpu0", "GPUPowerThrottledPercent"};
const job::MetricName kClock = {"gpu", "gpu0", "GPUSMClockMHz"};
const job::MetricName kMostClock = {"gpu", "gpu0", "GPUSMClockMaxMHz"};
const job::MetricName kCores = {"cgroup", "CPUThrottledPercent", ""};
const job::MetricName kCoreLimit = {"cgroup", "CPULimitCores", ""};
const job::MetricName kOfLimit = {"cgroup", "MemoryOfLimitPercent", ""};
const job::MetricName kKillsOfGroup = {"cgroup", "OOMKills", ""};
const job::MetricName kKills = {"memory", "OOMKills", ""};

/// A GPU that works all the time, and one more series.
job::Job working(const job::MetricName& name, std::vector<double> values) {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  add(job, name, std::move(values));
  return job;
}

/// 100 at so many samples from at(50.5) on, else 0.
std::vector<double> at_samples(std::size_t count) {
  return dip(count, 100, 0);
}

} // namespace

TEST_CASE("heat that slows a GPU down in 5 % of the loop is found, less is not") {
  // Of 401 samples: 21 are 5.2 %, 20 are 4.99 %.
  const Finding finding = found(working(kHot, at_samples(21)), "gpu_throttled");
  CHECK(finding.score == 0);
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.title == "GPUs slow down because they are too hot");
  CHECK_THAT(finding.why, ContainsSubstring("algo-1 gpu0 lowered its clocks for heat in 5.2"));
  CHECK_THAT(evidence(finding, "throttled"), WithinAbs(100 * 21 / 401.0, 1e-9));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(50), at(60.5)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu0");
  CHECK_FALSE(finds(working(kHot, at_samples(20)), "gpu_throttled"));
}

TEST_CASE("heat in half of the loop is critical") {
  CHECK(found(working(kHot, at_samples(200)), "gpu_throttled").severity == Severity::warning);
  CHECK(found(working(kHot, at_samples(201)), "gpu_throttled").severity == Severity::critical);
}

TEST_CASE("a power limit matters where it holds the clock far below its maximum") {
  const auto limited = [](std::size_t samples, double clock) {
    job::Job job = working(kPower, at_samples(samples));
    add(job, kClock, flat(kSamples, clock));
    add(job, kMostClock, flat(kSamples, 2000));
    return job;
  };
  const Finding finding = found(limited(101, 1400), "gpu_throttled");
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.title == "GPUs run at their power limit");
  CHECK(evidence(finding, "SM clock while throttled") == 70);
  CHECK(found(limited(101, 1402), "gpu_throttled").severity == Severity::info);
  CHECK(found(limited(101, 1700), "gpu_throttled").severity == Severity::info);
  CHECK_FALSE(finds(limited(101, 1702), "gpu_throttled"));
  CHECK_FALSE(finds(limited(100, 1400), "gpu_throttled")); // 24.9 % of the loop
}

TEST_CASE("a power limit without clocks is no finding: near it is where a GPU should be") {
  CHECK_FALSE(finds(working(kPower, flat(kSamples, 100)), "gpu_throttled"));
}

TEST_CASE("values that are no percentages count as the nearest that is one") {
  const Finding finding = found(working(kHot, flat(kSamples, 1e300)), "gpu_throttled");
  CHECK(evidence(finding, "throttled") == 100);
  CHECK_FALSE(finds(working(kHot, flat(kSamples, -5)), "gpu_throttled"));
}

TEST_CASE("a CPU limit that stops the job in 10 % of the periods is found, less is not") {
  job::Job job = working(kCores, flat(kSamples, 10));
  add(job, kCoreLimit, flat(kSamples, 2.5));
  const Finding finding = found(job, "cpu_throttled");
  CHECK(finding.severity == Severity::warning);
  CHECK_THAT(finding.why, ContainsSubstring("limit of 2.5 cores stopped the job in 10"));
  CHECK(evidence(finding, "CPU limit") == 2.5);
  CHECK_FALSE(finds(working(kCores, flat(kSamples, 9.9)), "cpu_throttled"));
  CHECK(found(working(kCores, flat(kSamples, 49.9)), "cpu_throttled").severity ==
        Severity::warning);
  CHECK(found(working(kCores, flat(kSamples, 50)), "cpu_throttled").severity == Severity::critical);
}

TEST_CASE("memory near the control group's limit is under pressure, however much the host has") {
  job::Job job = working(kOfLimit, flat(kSamples, 90));
  add(job, kHostMemory, flat(kSamples, 10));
  const Finding finding = found(job, "memory_pressure");
  CHECK(finding.title == "Host memory is nearly full");
  CHECK_THAT(finding.why, ContainsSubstring("of its control group's limit"));
  CHECK_FALSE(finds(working(kOfLimit, flat(kSamples, 89.9)), "memory_pressure"));
}

TEST_CASE("a node whose memory and limit are both nearly full is one place") {
  job::Job job = working(kOfLimit, flat(kSamples, 98));
  add(job, kHostMemory, flat(kSamples, 95));
  const Finding finding = found(job, "memory_pressure");
  CHECK(finding.where.size() == 1);
  CHECK(evidence(finding, "highest memory") == 98);
}

TEST_CASE("processes of the job that were killed for lack of memory are critical") {
  std::vector<double> kills = flat(kSamples, 0);
  std::fill(kills.begin() + 100, kills.end(), 2);
  const Finding finding = found(working(kKillsOfGroup, kills), "memory_pressure");
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.title == "Processes were killed: out of memory");
  CHECK_THAT(finding.why, ContainsSubstring("killed 2 processes on algo-1"));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(49.5), at(50)}});
  CHECK(found(working(kKills, kills), "memory_pressure").severity == Severity::warning);
  CHECK_FALSE(finds(working(kKillsOfGroup, flat(kSamples, 2)), "memory_pressure")); // before it
}

} // namespace test_throttled

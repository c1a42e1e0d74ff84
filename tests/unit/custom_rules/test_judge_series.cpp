#include "custom_rules/judged.h"

namespace test_judge_series {

using namespace debrief;
using test::flat;
using test::judged;
using test::triggers;
using test::unjudged;
using test::operator+;

namespace {

job::MetricName gpu(int device) {
  return {"gpu", "gpu" + std::to_string(device), "GPUUtilization"};
}

job::MetricName core(int device) {
  return {"cpu", "cpu" + std::to_string(device), "CPUUtilization"};
}

/// Samples are half a second apart. The second GPU is idle for ten seconds.
job::Job job() {
  job::Job job;
  test::add(job, gpu(0), flat(100, 80));
  test::add(job, gpu(1), flat(40, 80) + flat(20, 5) + flat(40, 80));
  return job;
}

} // namespace

TEST_CASE("a condition on GPUs is of each of them") {
  const result::RuleRow row = judged(job(), "gpu.util < 30 for 10s");
  CHECK(row.status == result::RuleStatus::issue_found);
  CHECK(row.triggered == 1);
  CHECK(row.violations == 20);
  CHECK(row.datapoints == 200);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node == "algo-1");
  CHECK(row.incidents[0].device == "gpu1");
  CHECK(row.incidents[0].what == "min 5%");
  CHECK(row.incidents[0].span.length() == 10 * kSecond);
  CHECK(row.reason == "true for 10 s in 1 interval, on 1 of 2 GPUs");
  CHECK(row.parameters.at(0).second == "gpu.util < 30 for 10s");
  CHECK(row.severity == result::Severity::warning);
  CHECK_FALSE(triggers(job(), "gpu.util < 30 for 10001ms"));
  CHECK_FALSE(triggers(job(), "gpu.util < 5 for 10s"));
}

TEST_CASE("a statistic of a window is true where the samples of a window have it") {
  const result::RuleRow row = judged(job(), "gpu.util.p50 < 30 for 15s");
  CHECK(row.triggered == 1);
  CHECK(row.incidents.at(0).what.starts_with("p50 "));
  CHECK(triggers(job(), "gpu.util.p50 < 30 for 19s"));
  CHECK_FALSE(triggers(job(), "gpu.util.p50 < 30 for 20s")); // half of 40 samples: 42.5
  CHECK(triggers(job(), "gpu.util.p50 < 43 for 20s"));
}

TEST_CASE("a condition can be of one place") {
  CHECK_FALSE(triggers(job(), "gpu[algo-1/gpu0].util < 30 for 10s"));
  CHECK(triggers(job(), "gpu[algo-1/gpu?].util < 30 for 10s"));
  CHECK(triggers(job(), "gpu[algo-1].util < 30 for 10s"));
  CHECK(unjudged(job(), "gpu[algo-2].util < 30") == "no GPU utilization was recorded of algo-2");
}

TEST_CASE("cores are judged one by one, or as a node's mean") {
  job::Job cores;
  test::add(cores, core(0), flat(100, 99));
  test::add(cores, core(1), flat(100, 1));
  CHECK(judged(cores, "core.util > 90 for 10s").incidents.at(0).device == "cpu0");
  CHECK_FALSE(triggers(cores, "cpu.util > 50 for 10s"));
  CHECK(triggers(cores, "cpu.util >= 50 for 10s"));
  CHECK(judged(cores, "cpu.util >= 50 for 10s").reason.ends_with("on 1 of 1 node"));
}

TEST_CASE("any series can be named as its recorder does") {
  job::Job hot = job();
  test::add(hot, {"gpu", "gpu0", "GPUTemperatureCelsius"}, flat(100, 86));
  CHECK(triggers(hot, "metric.GPUTemperatureCelsius > 85 for 5s"));
  CHECK(triggers(hot, "metric.*Celsius.mean > 85.9 for 5s"));
  CHECK_FALSE(triggers(hot, "metric.GPUTemperatureCelsius > 86 for 5s"));
  CHECK(unjudged(hot, "metric.GPUPowerWatts > 1") == "no GPUPowerWatts was recorded");
}

TEST_CASE("what was not recorded, or not for long enough, is not judged") {
  CHECK(unjudged(job::Job{}, "gpu.util < 30") == "no GPU utilization was recorded");
  CHECK(unjudged(job(), "network.total > 1MB/s") == "no network traffic was recorded");
  CHECK(
      unjudged(job(), "gpu.util < 30 for 50s") ==
      "the longest time without a gap in GPU utilization is 49.5 s, and the condition needs 50 s");
  CHECK(unjudged(job(), "gpu.util.p50 < 30 for 50s").starts_with("the longest time"));
  CHECK(unjudged(job(), "gpu.util < 30 for 49500ms").empty());
  CHECK(unjudged(job(), "gpu.util.p50 < 30 for 49500ms").empty());
}

} // namespace test_judge_series

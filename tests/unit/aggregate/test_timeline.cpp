#include "aggregate/job_summary.h"
#include "aggregate/quantiles.h"
#include "aggregate/system_usage.h"
#include "aggregate/timeline.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_timeline {

using namespace debrief;
using test::at;
using test::series;

namespace {

result::Timeline timeline_of(job::Job& job) {
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  const auto steps = aggregate::step_series(job.events, aggregate::WorkKinds{job.events});
  return aggregate::timeline(job, aggregate::job_summary(job), steps);
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

TEST_CASE("each node has its metrics in the page's order, with units and devices") {
  job::Job job = two_nodes();
  const result::Timeline found = timeline_of(job);
  REQUIRE(found.nodes.size() == 2);
  CHECK(found.nodes[0].node == "algo-2");
  CHECK(found.nodes[1].node == "algo-10");
  std::string text;
  for (const auto& metric : found.nodes[0].metrics) {
    text += metric.metric + " [" + metric.unit + "]";
    for (const std::string& device : metric.devices)
      text += " " + device;
    text += "; ";
    CHECK(metric.values.size() == metric.devices.size());
    CHECK(metric.whole.size() == metric.times.size());
  }
  CHECK(text == "GPU [%] gpu0; GPU memory [%] gpu0; CPU [%] cpu0 cpu1; I/O [%] cpu0; "
                "CPU memory [%]; Network [B/s] receive transmit; Disk [1/s]; ");

  const auto& network = found.nodes[0].metrics[5];
  CHECK(network.whole == std::vector<float>{1'000'000'002.0F, 8});
  CHECK(network.values[0] == std::vector<float>{2, 3});
  const auto& cpu = found.nodes[0].metrics[2];
  CHECK(cpu.times == std::vector<Microseconds>{at(0), at(1), at(1.5), at(2)});
  CHECK(cpu.whole == std::vector<float>{2, 7, 9, 30});
  CHECK(std::isnan(cpu.values[1][1]));
  CHECK(cpu.values[1][2] == 9);
}

TEST_CASE("a disk's bytes are shown rather than its operations") {
  job::Job job = two_nodes();
  const auto disk_metric = timeline_of(job).nodes[1].metrics.back();
  CHECK(disk_metric.metric == "Disk");
  CHECK(disk_metric.unit == "B/s");
  CHECK(disk_metric.devices == std::vector<std::string>{"read", "write"});
  CHECK(disk_metric.whole == std::vector<float>{5120, 0});
}

TEST_CASE("the table's percentiles are those of the timeline's values") {
  job::Job job = two_nodes();
  const result::Timeline found = timeline_of(job);
  const auto rows = aggregate::system_usage(job);
  REQUIRE(rows.size() == 12);
  for (const result::UsageRow& row : rows)
    for (const result::NodeTimeline& node : found.nodes)
      for (const result::MetricTimeline& metric : node.metrics) {
        if (node.node != row.node || metric.metric != row.metric) continue;
        const aggregate::FiveNumbers numbers =
            aggregate::five_numbers({metric.whole.begin(), metric.whole.end()});
        CHECK(row.samples == static_cast<std::int64_t>(metric.whole.size()));
        CHECK(static_cast<float>(row.max) == static_cast<float>(numbers.max));
        CHECK(static_cast<float>(row.p50) == static_cast<float>(numbers.p50));
        CHECK(static_cast<float>(row.min) == static_cast<float>(numbers.min));
      }
}

TEST_CASE("steps are placed where their clock is known, and the span has all of it") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::gpu(0), {5, 6}, {1, 2}));
  job.events = test::events({
      {.phase = "Step:ModeKeys.TRAIN", .start = 4, .duration = 1},
      {.phase = "Step:ModeKeys.TRAIN", .start = 5, .duration = 0.25},
      {.phase = "Step:ModeKeys.EVAL", .start = 6, .duration = 3, .process = "algo-1-28"},
      {.phase = "Step:ModeKeys.TRAIN", .duration = 1, .process = "algo-9-1", .clock_known = false},
  });
  const result::Timeline found = timeline_of(job);
  REQUIRE(found.steps.size() == 2);
  CHECK(found.steps[0].process == "algo-1-27");
  CHECK(found.steps[0].mode == "TRAIN");
  REQUIRE(found.steps[0].steps.size() == 2);
  CHECK(found.steps[0].steps[1].start == at(5));
  CHECK(found.steps[0].steps[1].duration == 250'000);
  CHECK(found.steps[1].mode == "EVAL");
  CHECK(found.span == TimeSpan{at(4), at(9)});
  CHECK(found.phases.size() == 2);
}

TEST_CASE("a job of which nothing was sampled has an empty timeline") {
  job::Job job;
  CHECK(timeline_of(job).empty());
  job.metrics.push_back(series("algo-1", {"fan", "speed", ""}, {0}, {1}));
  CHECK(timeline_of(job).empty());
}

TEST_CASE("when traces were recorded comes after the phases, and cycles that touch are one") {
  job::Job job = two_nodes();
  const auto add = [&](double from, double to, bool clock_known) {
    job::Trace& trace = job.traces.emplace_back();
    trace.clock_known = clock_known;
    trace.slices.emplace_back().start = 1000 * at(from);
    trace.slices.back().duration = 1000 * (at(to) - at(from));
  };
  add(0.5, 1, true);
  add(0.75, 1.25, true);
  add(1.5, 1.75, true);
  add(0, 2, false);
  const result::Timeline found = timeline_of(job);
  REQUIRE(found.phases.size() == 2);
  CHECK(found.phases[0].name == "profiled");
  CHECK(found.phases[0].span == TimeSpan{at(0.5), at(1.25)});
  CHECK(found.phases[1].span == TimeSpan{at(1.5), at(1.75)});
}

} // namespace test_timeline

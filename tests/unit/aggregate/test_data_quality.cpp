#include "aggregate/data_quality.h"
#include "aggregate/sampling.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_data_quality {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::at;
using test::series;

namespace {

/// A node sampled every half second from `first` for `count` samples.
job::MetricSeries half_seconds(const std::string& node, double first, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i)
    times.push_back(first + 0.5 * i);
  return series(node, test::cpu(0), times, std::vector<double>(times.size(), 1));
}

} // namespace

TEST_CASE("intervals and gaps of a node") {
  job::Job job;
  // Usual interval 0.5 s: five times that, 2.5 s, is no gap yet; anything longer is.
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 0.5, 1, 1.5, 4, 4.5, 7.1, 7.6},
                               std::vector<double>(8, 1)));
  const auto nodes = aggregate::node_sampling(job);
  REQUIRE(nodes.size() == 1);
  CHECK(nodes[0].samples == 8);
  CHECK_THAT(*nodes[0].interval_p50, WithinAbs(0.5, 1e-9));
  CHECK_THAT(*nodes[0].interval_max, WithinAbs(2.6, 1e-9));
  REQUIRE(nodes[0].gap_count == 1);
  CHECK(nodes[0].gaps[0] == TimeSpan{at(4.5), at(7.1)});
  CHECK_THAT(nodes[0].gap_seconds, WithinAbs(2.6, 1e-9));
  CHECK(nodes[0].not_recorded ==
        std::vector<std::string>{"GPU", "CPU memory", "GPU memory", "I/O", "Network"});
}

TEST_CASE("short hiccups of fast sampling are no gaps") {
  job::Job job;
  job.metrics.push_back(
      series("algo-1", test::cpu(0), {0, 0.1, 0.2, 1.2, 1.3}, std::vector<double>(5, 1)));
  CHECK(aggregate::node_sampling(job).at(0).gap_count == 0);
}

TEST_CASE("one sample has no interval") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0}, {1}));
  CHECK_FALSE(aggregate::node_sampling(job).at(0).interval_p50);
}

TEST_CASE("a clock that is off by the same amount at both ends is skewed") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 200));
  job.metrics.push_back(half_seconds("algo-2", 0.3, 200));
  job.metrics.push_back(half_seconds("algo-3", 300, 200));
  const auto skews = aggregate::clock_skew(aggregate::node_sampling(job));
  REQUIRE(skews.size() == 1);
  CHECK(skews[0].node == "algo-3");
  CHECK_THAT(skews[0].seconds, WithinAbs(299.85, 0.2));
}

TEST_CASE("a node that started late has a right clock") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 200));
  job.metrics.push_back(half_seconds("algo-2", 60, 80));
  CHECK(aggregate::clock_skew(aggregate::node_sampling(job)).empty());
}

TEST_CASE("a node that is sampled for a part of the job only is not sampled well") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 200));   // until 99.5
  job.metrics.push_back(half_seconds("algo-2", 20, 100));  // until 69.5
  job.metrics.push_back(half_seconds("algo-3", 4.9, 190)); // until 99.4
  const auto quality = aggregate::data_quality(job, TimeSpan{at(0), at(120)});
  const auto ends = [&](std::size_t node) {
    return std::pair{quality.nodes[node].unsampled_at_start, quality.nodes[node].unsampled_at_end};
  };
  CHECK(ends(0) == std::pair{0.0, 20.5});
  CHECK(ends(1) == std::pair{20.0, 50.5});
  CHECK(ends(2) == std::pair{0.0, 20.6}); // 4.9 s is the time that recorders take to start
  CHECK_FALSE(quality.complete);
}

TEST_CASE("a skewed clock makes no other node one that ended early") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 200));
  job.metrics.push_back(half_seconds("algo-2", 0, 200));
  job.metrics.push_back(half_seconds("algo-3", 300, 200));
  const auto quality = aggregate::data_quality(job, TimeSpan{at(0), at(399.5)});
  REQUIRE(quality.clock_skew.size() == 1);
  for (const auto& node : quality.nodes) {
    CHECK(node.unsampled_at_start == 0);
    CHECK(node.unsampled_at_end == 0);
  }
}

TEST_CASE("devices that are sampled for less long than their node are named") {
  const auto gpu = [](int number, std::vector<double> times) {
    const std::vector<double> values(times.size(), 1);
    return series("algo-1", test::gpu(number), times, values);
  };
  std::vector<double> whole;
  for (int i = 0; i < 200; ++i)
    whole.push_back(0.5 * i);
  std::vector<double> broken; // nothing from 40 to 60
  for (const double time : whole)
    if (time <= 40 || time >= 60) broken.push_back(time);
  std::vector<double> seldom; // as often as it is recorded
  for (std::size_t i = 0; i < whole.size(); i += 8)
    seldom.push_back(whole[i]);
  job::Job job;
  job.metrics.push_back(gpu(0, whole));
  job.metrics.push_back(gpu(1, {whole.begin(), whole.begin() + 100})); // until 49.5 of 99.5
  job.metrics.push_back(gpu(2, broken));
  job.metrics.push_back(gpu(3, seldom));
  job.metrics.push_back(gpu(5, {whole.begin() + 8, whole.end()})); // 4 s late
  const auto quality = aggregate::data_quality(job, std::nullopt);
  REQUIRE(quality.nodes.size() == 1);
  const auto& node = quality.nodes[0];
  REQUIRE(node.less_sampled_count == 2);
  CHECK(node.less_sampled[0].device == "gpu1");
  CHECK(node.less_sampled[0].samples == 100);
  CHECK_THAT(node.less_sampled[0].unsampled_seconds, WithinAbs(50, 1e-9));
  CHECK(node.less_sampled[1].device == "gpu2");
  CHECK_THAT(node.less_sampled[1].unsampled_seconds, WithinAbs(19.5, 1e-9)); // 39 samples of gpu0
  CHECK(node.missing_devices == std::vector<std::string>{"gpu4"});
  CHECK_FALSE(quality.complete);
}

TEST_CASE("a GPU is sampled where its utilization is, whatever else goes on") {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i)
    times.push_back(0.5 * i);
  const auto until = [&](const job::MetricName& name, std::size_t count) {
    return series("algo-1", name, {times.begin(), times.begin() + static_cast<int>(count)},
                  std::vector<double>(count, 1));
  };
  job::Job job;
  job.metrics.push_back(until(test::cpu(0), 200));
  job.metrics.push_back(until(test::gpu(0), 100));
  job.metrics.push_back(until({"gpu", "gpu0", "GPUMemoryUtilization"}, 200));
  const auto node = aggregate::data_quality(job, std::nullopt).nodes.at(0);
  REQUIRE(node.less_sampled_count == 1);
  CHECK(node.less_sampled[0].device == "gpu0");
}

TEST_CASE("recorders of one machine need not tick together") {
  // The cores' recorder misses four samples, the GPU's misses the same four: one gap is a little
  // longer than five intervals, the other a little shorter.
  std::vector<double> cores;
  std::vector<double> gpus;
  for (int i = 0; i < 200; ++i) {
    if (i >= 100 && i < 104) continue;
    cores.push_back(0.5 * i + (i == 104 ? -0.003 : 0.003));
    gpus.push_back(0.5 * i + (i == 104 ? 0.004 : 0));
  }
  const std::vector<double> values(cores.size(), 1);
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), cores, values));
  job.metrics.push_back(series("algo-1", test::gpu(0), gpus, values));
  CHECK(aggregate::data_quality(job, std::nullopt).complete);
}

TEST_CASE("devices are missing between others, not before them, nor every other one") {
  const auto missing = [](const std::vector<int>& numbers) {
    job::Job job;
    for (const int number : numbers)
      job.metrics.push_back(series("algo-1", test::gpu(number), {0, 0.5}, {1, 1}));
    return aggregate::data_quality(job, std::nullopt).nodes.at(0).missing_devices;
  };
  CHECK(missing({0, 1, 3}) == std::vector<std::string>{"gpu2"});
  CHECK(missing({4, 5, 6, 7}).empty());
  CHECK(missing({0, 2, 4, 6}).empty());
  CHECK(missing({0, 1, 1'000'000'000}).empty());
}

TEST_CASE("what a node has no samples of is not missing of each of its devices again") {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i)
    times.push_back(0.5 * i + (i < 100 ? 0 : 30));
  const std::vector<double> values(times.size(), 1);
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), times, values));
  job.metrics.push_back(series("algo-1", test::gpu(0), {times.begin() + 1, times.end()},
                               {values.begin() + 1, values.end()}));
  const auto node = aggregate::data_quality(job, std::nullopt).nodes.at(0);
  CHECK(node.gap_count == 1);
  CHECK(node.less_sampled_count == 0);
}

TEST_CASE("missing nodes and ranks are named") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 10));
  job.metrics.push_back(half_seconds("algo-3", 0, 10));
  CHECK(aggregate::data_quality(job, std::nullopt).missing_nodes ==
        std::vector<std::string>{"algo-2"});
  job.description.instance_count = 4;
  const auto quality = aggregate::data_quality(job, std::nullopt);
  CHECK(quality.missing_nodes == std::vector<std::string>{"algo-2", "algo-4"});
  CHECK_FALSE(quality.complete);

  job::Job ranks;
  ranks.events = test::steps({{"TRAIN", 0, 1, "algo-1-0"}});
  ranks.events.timelines[0].rank = 0;
  job::Timeline third;
  third.rank = 2;
  ranks.events.timelines.push_back(third);
  CHECK(aggregate::data_quality(ranks, std::nullopt).missing_ranks ==
        std::vector<std::string>{"1"});
  ranks.events.timelines[0].rank = 553; // process ids, not ranks
  ranks.events.timelines[1].rank = 555;
  CHECK(aggregate::data_quality(ranks, std::nullopt).missing_ranks.empty());
}

TEST_CASE("a job is complete where nothing was lost; repairing loses nothing") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 10));
  job::ReadingReport::count(job.reading.repaired, "negative value set to 0", "x");
  CHECK(aggregate::data_quality(job, std::nullopt).complete);
  job::ReadingReport::count(job.reading.skipped, "line is not valid JSON", "x, line 3");
  job::ReadingReport::count(job.reading.skipped, "line is not valid JSON", "y, line 9");
  const auto quality = aggregate::data_quality(job, std::nullopt);
  CHECK_FALSE(quality.complete);
  REQUIRE(quality.skipped.size() == 1);
  CHECK(quality.skipped[0].count == 2);
  CHECK(quality.skipped[0].first_seen == "x, line 3");
}

TEST_CASE("what was left out as another job's is lost unless the user chose") {
  job::Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 10));
  job.reading.ignored.push_back({"README", "not a format that debrief reads"});
  CHECK(aggregate::data_quality(job, std::nullopt).complete);
  job.reading.ignored.push_back({"b/StepOutlier.json", "another job's rule output, beside a/"});
  CHECK_FALSE(aggregate::data_quality(job, std::nullopt).complete);
  job.reading.ignored.clear();
  job.reading.other_jobs.push_back({{at(9000), at(9100)}, 10, 0});
  CHECK_FALSE(aggregate::data_quality(job, std::nullopt).complete);
  CHECK(aggregate::data_quality(job, std::nullopt, /*job_was_chosen=*/true).complete);
}

TEST_CASE("long lists are cut and counted") {
  job::Job job;
  for (int i = 0; i < 250; ++i)
    job.reading.ignored.push_back({std::to_string(i), "reason"});
  const auto quality = aggregate::data_quality(job, std::nullopt);
  CHECK(quality.ignored.size() == result::kMaxIgnored);
  CHECK(quality.ignored_count == 250);
}

TEST_CASE("ranks of which no trace is there are missing") {
  job::Job job;
  for (const std::int64_t rank : {0, 2}) {
    job::Trace& trace = job.traces.emplace_back();
    trace.rank = rank;
    trace.world_size = 4;
  }
  job::EventTableBuilder columns; // the steps of these traces have but one hole
  for (const std::int64_t rank : {0, 2})
    columns.timeline(
        {job::TimelineKind::pytorch_profiler, "", "rank " + std::to_string(rank), rank, true});
  job.events = std::move(columns).finish();
  const auto found = aggregate::data_quality(job, std::nullopt);
  CHECK(found.missing_ranks == std::vector<std::string>{"1", "3"});
  CHECK_FALSE(found.complete);
}

} // namespace test_data_quality

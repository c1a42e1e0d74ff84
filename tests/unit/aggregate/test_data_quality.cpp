#include "aggregate/data_quality.h"
#include "aggregate/sampling.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::at;
using test::series;

namespace {

/// A node sampled every half second from `first` for `count` samples.
MetricSeries half_seconds(const std::string& node, double first, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i)
    times.push_back(first + 0.5 * i);
  return series(node, test::cpu(0), times, std::vector<double>(times.size(), 1));
}

} // namespace

TEST_CASE("intervals and gaps of a node") {
  Job job;
  // Usual interval 0.5 s: five times that, 2.5 s, is no gap yet; anything longer is.
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 0.5, 1, 1.5, 4, 4.5, 7.1, 7.6},
                               std::vector<double>(8, 1)));
  const auto nodes = node_sampling(job);
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
  Job job;
  job.metrics.push_back(
      series("algo-1", test::cpu(0), {0, 0.1, 0.2, 1.2, 1.3}, std::vector<double>(5, 1)));
  CHECK(node_sampling(job).at(0).gap_count == 0);
}

TEST_CASE("one sample has no interval") {
  Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0}, {1}));
  CHECK_FALSE(node_sampling(job).at(0).interval_p50);
}

TEST_CASE("a clock that is off by the same amount at both ends is skewed") {
  Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 200));
  job.metrics.push_back(half_seconds("algo-2", 0.3, 200));
  job.metrics.push_back(half_seconds("algo-3", 300, 200));
  const auto skews = clock_skew(node_sampling(job));
  REQUIRE(skews.size() == 1);
  CHECK(skews[0].node == "algo-3");
  CHECK_THAT(skews[0].seconds, WithinAbs(299.85, 0.2));
}

TEST_CASE("a node that started late has a right clock") {
  Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 200));
  job.metrics.push_back(half_seconds("algo-2", 60, 80));
  CHECK(clock_skew(node_sampling(job)).empty());
}

TEST_CASE("missing nodes and ranks are named") {
  Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 10));
  job.metrics.push_back(half_seconds("algo-3", 0, 10));
  CHECK(data_quality(job).missing_nodes == std::vector<std::string>{"algo-2"});
  job.description.instance_count = 4;
  const auto quality = data_quality(job);
  CHECK(quality.missing_nodes == std::vector<std::string>{"algo-2", "algo-4"});
  CHECK_FALSE(quality.complete);

  Job ranks;
  ranks.events = test::steps({{"TRAIN", 0, 1, "algo-1-0"}});
  ranks.events.timelines[0].rank = 0;
  Timeline third;
  third.rank = 2;
  ranks.events.timelines.push_back(third);
  CHECK(data_quality(ranks).missing_ranks == std::vector<std::string>{"1"});
  ranks.events.timelines[0].rank = 553; // process ids, not ranks
  ranks.events.timelines[1].rank = 555;
  CHECK(data_quality(ranks).missing_ranks.empty());
}

TEST_CASE("a job is complete where nothing was lost; mending loses nothing") {
  Job job;
  job.metrics.push_back(half_seconds("algo-1", 0, 10));
  ReadingReport::count(job.reading.mended, "negative value set to 0", "x");
  CHECK(data_quality(job).complete);
  ReadingReport::count(job.reading.skipped, "line is not valid JSON", "x, line 3");
  ReadingReport::count(job.reading.skipped, "line is not valid JSON", "y, line 9");
  const auto quality = data_quality(job);
  CHECK_FALSE(quality.complete);
  REQUIRE(quality.skipped.size() == 1);
  CHECK(quality.skipped[0].count == 2);
  CHECK(quality.skipped[0].first_seen == "x, line 3");
}

TEST_CASE("long lists are cut and counted") {
  Job job;
  for (int i = 0; i < 250; ++i)
    job.reading.ignored.push_back({std::to_string(i), "reason"});
  const auto quality = data_quality(job);
  CHECK(quality.ignored.size() == result::kMostIgnored);
  CHECK(quality.ignored_count == 250);
}

TEST_CASE("ranks of which no trace is there are missing") {
  Job job;
  for (const std::int64_t rank : {0, 2}) {
    Trace& trace = job.traces.emplace_back();
    trace.rank = rank;
    trace.world_size = 4;
  }
  EventColumns columns; // the steps of these traces have but one hole
  for (const std::int64_t rank : {0, 2})
    columns.timeline(
        {TimelineKind::pytorch_profiler, "", "rank " + std::to_string(rank), rank, true});
  job.events = std::move(columns).finish();
  const auto found = data_quality(job);
  CHECK(found.missing_ranks == std::vector<std::string>{"1", "3"});
  CHECK_FALSE(found.complete);
}

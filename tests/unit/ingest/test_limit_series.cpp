#include "ingest/limit_series.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_limit_series {

using namespace debrief;
using test::count_in;

namespace {

job::MetricSeries series_of(const std::string& node, int gpu, std::vector<Microseconds> times) {
  std::vector<double> values(times.size(), 5.0);
  return job::make_series(node, test::gpu(gpu), {std::move(times), std::move(values)});
}

/// `devices` GPUs, of which the first has `most` samples and each other one at a time of its own.
std::vector<job::MetricSeries> scattered(int devices, int most) {
  std::vector<Microseconds> times;
  for (int i = 0; i < most; ++i)
    times.push_back(i * kSecond);
  std::vector<job::MetricSeries> all;
  all.push_back(series_of("algo-1", 0, std::move(times)));
  for (int gpu = 1; gpu < devices; ++gpu)
    all.push_back(series_of("algo-1", gpu, {gpu * kSecond + kSecond / 2}));
  return all;
}

constexpr const char* kSeldom =
    "sample of a device that was hardly ever sampled together with others";

} // namespace

TEST_CASE("the first nodes are kept, and the samples of others counted") {
  std::vector<job::MetricSeries> all;
  for (std::size_t node = 0; node < ingest::kMaxNodes + 3; ++node)
    all.push_back(series_of(fmt::format("algo-{}", node), 0, {1, 2}));
  job::ReadingReport report;
  ingest::limit_series(all, report);
  CHECK(all.size() == ingest::kMaxNodes);
  CHECK(all.back().node == "algo-4095");
  CHECK(count_in(report.skipped, "sample of a node beyond 4096 nodes") == 6);
  CHECK(report.skipped.begin()->second.first_seen == "algo-4096, gpu0");
}

TEST_CASE("the first devices of each node are kept") {
  std::vector<job::MetricSeries> all;
  for (const char* node : {"algo-1", "algo-2"})
    for (int gpu = 0; gpu < 4096; ++gpu)
      all.push_back(series_of(node, gpu, {1, 2}));
  all.push_back(series_of("algo-2", 4096, {1, 2, 3}));
  const job::SampleTimes shared = all.front().times;
  for (job::MetricSeries& series : all)
    if (series.size() == 2) series.times = shared;
  job::ReadingReport report;
  ingest::limit_series(all, report);
  CHECK(all.size() == 2 * ingest::kMaxDevices);
  CHECK(count_in(report.skipped, "sample of a device beyond 4096 per node") == 3);
}

TEST_CASE("devices that were never sampled together are kept while their table is small") {
  job::ReadingReport report;
  auto few = scattered(64, 200'000); // 64 places for each sample at most
  ingest::limit_series(few, report);
  CHECK(few.size() == 64);
  auto small = scattered(1500, 1); // 1500 × 1500 places
  ingest::limit_series(small, report);
  CHECK(small.size() == 1500);
  CHECK(report.skipped.empty());
}

TEST_CASE("of many devices that were never sampled together, those with most samples are kept") {
  job::ReadingReport report;
  auto many = scattered(3000, 10'000); // 3000 × 13,000 places for 13,000 samples
  std::swap(many[0].values, many[2999].values);
  std::swap(many[0].times, many[2999].times);
  ingest::limit_series(many, report);
  CHECK(many.size() == 64);
  CHECK(many.front().device == "gpu0");
  CHECK(many.back().device == "gpu2999");
  CHECK(count_in(report.skipped, kSeldom) == 3000 - 64);
}

} // namespace test_limit_series

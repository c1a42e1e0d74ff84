#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_launches {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::TraceMaker;

namespace {

/// A call and what it starts; times in microseconds.
void launch(TraceMaker& maker, std::int64_t id, std::int64_t call, std::int64_t call_end,
            std::int64_t start, std::int64_t end) {
  maker.cpu(job::SliceKind::runtime, "cudaLaunchKernel", call * 1000, call_end * 1000).correlation =
      id;
  maker.gpu(job::SliceKind::kernel, "kernel", start * 1000, end * 1000).correlation = id;
}

std::vector<result::LaunchStats> stats_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  return aggregate::launch_stats(indices);
}

} // namespace

TEST_CASE("launches have a duration, kernels a delay after them") {
  TraceMaker maker;
  launch(maker, 1, 0, 10, 12, 15);   // 10 us, then 2; shorter than its launch
  launch(maker, 2, 20, 24, 30, 40);  // 4 us, then 6
  launch(maker, 3, 50, 56, 60, 100); // 6 us, then 4
  maker.gpu(job::SliceKind::kernel, "kernel", 200'000, 210'000);
  maker.gpu(job::SliceKind::memcpy, "Memcpy HtoD (Pageable -> Device)", 300'000, 301'000);
  const auto rows = stats_of(test::list_of(maker.make()));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].process == "rank 0");
  CHECK(rows[0].launches == 3);
  CHECK(rows[0].without_launch == 1);
  CHECK_THAT(rows[0].launch_p50_us, WithinAbs(6, 1e-9));
  CHECK_THAT(rows[0].launch_p95_us, WithinAbs(9.6, 1e-9));
  CHECK_THAT(rows[0].delay_p50_us, WithinAbs(4, 1e-9));
  CHECK_THAT(rows[0].delay_max_us, WithinAbs(6, 1e-9));
  CHECK(rows[0].short_kernels == 1);
  CHECK(rows[0].queue_max == 1);
}

TEST_CASE("a kernel before its launch has no delay, and never a negative one") {
  TraceMaker maker;
  launch(maker, 1, 100, 110, 50, 60);
  launch(maker, 2, 200, 210, 205, 260); // starts within its call
  const auto rows = stats_of(test::list_of(maker.make()));
  CHECK(rows[0].delay_p50_us == 0);
  CHECK(rows[0].delay_max_us == 0);
  CHECK(rows[0].queue_max == 1);
}

TEST_CASE("the queue is what one stream was asked for and has not begun") {
  TraceMaker maker;
  for (int i = 0; i < 5; ++i) // all asked for before the first begins, one after the other
    launch(maker, i, i, i + 1, 100 + 10 * i, 110 + 10 * i);
  for (int i = 10; i < 13; ++i) { // another stream
    maker.cpu(job::SliceKind::runtime, "cudaLaunchKernel", i * 1000, i * 1000 + 1).correlation = i;
    maker.gpu(job::SliceKind::kernel, "kernel", 200'000 + i, 200'001 + i, 20).correlation = i;
  }
  CHECK(stats_of(test::list_of(maker.make()))[0].queue_max == 5);
}

TEST_CASE("a graph's launch counts once, with the delay of its first kernel") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::runtime, "cudaGraphLaunch", 0, 10'000).correlation = 1;
  for (int i = 0; i < 50; ++i)
    maker.gpu(job::SliceKind::kernel, "kernel", 12'000 + i * 1000, 12'500 + i * 1000).correlation =
        1;
  const auto rows = stats_of(test::list_of(maker.make()));
  CHECK(rows[0].launches == 50);
  CHECK_THAT(rows[0].delay_max_us, WithinAbs(2, 1e-9));
  CHECK(rows[0].queue_max == 1);
  CHECK(rows[0].short_kernels == 0);
}

TEST_CASE("cycles of one process are one row; a process without kernels has none") {
  TraceMaker first{"rank 1"};
  launch(first, 1, 0, 10, 20, 30);
  TraceMaker second{"rank 1"};
  launch(second, 1, 100, 120, 130, 180);
  TraceMaker cpu{"rank 0"};
  cpu.cpu(job::SliceKind::op, "aten::add", 0, 10);
  const auto rows = stats_of(test::list_of(first.make(), cpu.make(), second.make()));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].launches == 2);
  CHECK_THAT(rows[0].launch_p50_us, WithinAbs(15, 1e-9));
}

} // namespace test_launches

#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <numeric>

namespace test_annotations {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::TraceMaker;

namespace {

std::vector<result::AnnotationRow> rows_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  return aggregate::annotation_rows(indices);
}

const result::AnnotationRow& row(const std::vector<result::AnnotationRow>& rows,
                                 std::string_view name) {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const result::AnnotationRow& one) { return one.name == name; });
  REQUIRE(found != rows.end());
  return *found;
}

} // namespace

TEST_CASE("steps are one row, other ranges one by name, most time first") {
  TraceMaker maker;
  maker.step(1, 0, 10'000);
  maker.step(2, 10'000, 40'000);
  maker.cpu(job::SliceKind::annotation, "load", 1000, 3000);
  maker.cpu(job::SliceKind::annotation, "load", 11'000, 12'000);
  const auto rows = rows_of(test::list_of(maker.make()));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "ProfilerStep");
  CHECK(rows[0].count == 2);
  CHECK_THAT(rows[0].total_us, WithinAbs(40, 1e-9));
  CHECK_THAT(rows[0].mean_us, WithinAbs(20, 1e-9));
  CHECK_THAT(rows[0].min_us, WithinAbs(10, 1e-9));
  CHECK_THAT(rows[0].max_us, WithinAbs(30, 1e-9));
  CHECK_FALSE(rows[0].gpu_us);
  CHECK(rows[0].histogram.counts.size() == 20);
  CHECK(std::accumulate(rows[0].histogram.counts.begin(), rows[0].histogram.counts.end(), 0) == 2);
  CHECK(rows[1].name == "load");
  CHECK(rows[1].count == 2);
}

TEST_CASE("a range has the GPU work that was launched in it, each kernel once") {
  TraceMaker maker;
  maker.step(1, 0, 100'000);
  maker.cpu(job::SliceKind::annotation, "forward", 1000, 20'000);
  maker.cpu(job::SliceKind::annotation, "forward", 2000, 10'000); // calls itself
  maker.cpu(job::SliceKind::annotation, "empty", 50'000, 60'000);
  maker.launched("gemm", 3000, 70'000, 75'000); // runs long after both have ended
  maker.launched("gemm", 15'000, 75'000, 76'000);
  maker.launched("gemm", 30'000, 80'000, 83'000);            // in the step only
  maker.gpu(job::SliceKind::kernel, "gemm", 90'000, 95'000); // launched by nobody
  const auto rows = rows_of(test::list_of(maker.make()));
  CHECK_THAT(row(rows, "forward").gpu_us.value(), WithinAbs(6, 1e-9));
  CHECK_THAT(row(rows, "ProfilerStep").gpu_us.value(), WithinAbs(9, 1e-9));
  CHECK(row(rows, "empty").gpu_us == 0);
}

TEST_CASE("the backward pass belongs to the ranges that wait for it") {
  TraceMaker maker;
  maker.step(1, 0, 100'000);
  maker.cpu(job::SliceKind::annotation, "backward", 10'000, 50'000);
  maker.cpu(job::SliceKind::annotation, "optimizer", 60'000, 70'000);
  maker.cpu(job::SliceKind::annotation, "gloo:all_reduce", 15'000, 90'000, 3);
  maker.cpu(job::SliceKind::op, "autograd::engine::evaluate_function: MmBackward0", 19'000, 30'000,
            2);
  maker.cpu(job::SliceKind::runtime, "cudaLaunchKernel", 20'000, 20'005, 2).correlation = 77;
  maker.gpu(job::SliceKind::kernel, "gemm", 25'000, 29'000).correlation = 77;
  maker.cpu(job::SliceKind::runtime, "cudaLaunchKernel", 40'000, 40'005, 4).correlation = 78;
  maker.gpu(job::SliceKind::kernel, "other", 45'000, 46'000).correlation =
      78; // of some other thread
  const auto rows = rows_of(test::list_of(maker.make()));
  CHECK_THAT(row(rows, "backward").gpu_us.value(), WithinAbs(4, 1e-9));
  CHECK_THAT(row(rows, "ProfilerStep").gpu_us.value(), WithinAbs(4, 1e-9));
  CHECK(row(rows, "optimizer").gpu_us == 0);
  CHECK(row(rows, "gloo:all_reduce").gpu_us == 0);
}

TEST_CASE("ranges that overlap without nesting and cycles of one process do no harm") {
  TraceMaker first{"rank 0"};
  first.cpu(job::SliceKind::annotation, "a", 0, 1000);
  first.cpu(job::SliceKind::annotation, "b", 500, 1500);
  TraceMaker second{"rank 0"};
  second.cpu(job::SliceKind::annotation, "a", 9000, 9500);
  TraceMaker other{"rank 1"};
  other.cpu(job::SliceKind::annotation, "a", 0, 10);
  const auto rows = rows_of(test::list_of(first.make(), second.make(), other.make()));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].process == "rank 0");
  CHECK(rows[0].name == "a");
  CHECK(rows[0].count == 2);
  CHECK(rows[2].process == "rank 1");
}

} // namespace test_annotations

#include "aggregate/trace/figures.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>
#include <vector>

namespace test_kernels {

using namespace debrief;
using Kind = job::SliceKind;

namespace {

result::Kernels kernels_of(const std::vector<job::Trace>& traces) {
  return aggregate::trace_kernels(std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
}

job::LaunchArgs launch(std::int32_t grid, std::int32_t block, float occupancy, float blocks) {
  job::LaunchArgs args;
  args.grid = {grid, 1, 1};
  args.block = {block, 1, 1};
  args.occupancy = occupancy;
  args.blocks_per_sm = blocks;
  return args;
}

} // namespace

TEST_CASE("kernels are summed by name over processes, with how they were launched") {
  test::TraceMaker first;
  const std::int32_t small = first.launch_args(launch(8, 128, 10, 0.5F));
  const std::int32_t large = first.launch_args(launch(64, 128, 50, 4));
  first.cpu(Kind::op, "aten::mm", 0, 50);
  first.launched("volta_sgemm_64x64_nt", 10, 100, 130);
  first.trace().slices.back().details = large;
  first.launched("volta_sgemm_64x64_nt", 20, 130, 140, 20);
  first.trace().slices.back().details = small;
  first.launched("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 60, 200, 250);
  test::TraceMaker second{"rank 1"};
  second.gpu(Kind::kernel, "volta_sgemm_64x64_nt", 0, 20, 7, 1); // nothing is known of its launch
  second.gpu(Kind::kernel, "triton_poi_fused", 30, 50, 7, 1);
  const result::Kernels found = kernels_of(test::list_of(first.make(), second.make()));
  CHECK(found.names == 3);
  CHECK(found.calls == 5);
  CHECK(found.total_us == 0.13);
  REQUIRE(found.rows.size() == 3);
  const result::KernelRow& gemm = found.rows[0];
  CHECK(gemm.name == "volta_sgemm_64x64_nt");
  CHECK(gemm.op == "aten::mm");
  CHECK(gemm.calls == 3);
  CHECK(gemm.total_us == 0.06);
  CHECK(gemm.mean_us == 0.02);
  CHECK(gemm.min_us == 0.01);
  CHECK(gemm.max_us == 0.03);
  CHECK(gemm.grid == result::LaunchSize{8, 1, 1}); // as frequent as the other, and first
  CHECK(gemm.block == result::LaunchSize{128, 1, 1});
  CHECK(gemm.launch_shapes == 2);
  CHECK(gemm.occupancy == 40);
  CHECK(gemm.blocks_per_sm == (4 * 30 + 0.5 * 10) / 40);
  CHECK(gemm.streams == std::vector<result::StreamId>{{0, 7}, {0, 20}, {1, 7}});
  CHECK(gemm.precision == "fp32");
  CHECK_FALSE(gemm.communication);
  CHECK(found.rows[1].communication);
  CHECK(found.rows[1].op.empty());
  CHECK(!found.rows[2].grid.has_value());
  CHECK_FALSE(found.rows[2].occupancy);
  CHECK(found.rows[0].percent + found.rows[1].percent + found.rows[2].percent == 100);
  REQUIRE(found.precision.size() == 2); // without communication
  CHECK(found.precision[0].precision == "fp32");
  CHECK(found.precision[0].percent == 75);
  CHECK(found.precision[0].calls == 3);
  CHECK(found.precision[1].precision == "unknown");
  CHECK(found.precision[1].percent == 25);
}

TEST_CASE("a trace without kernels has none") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::mm", 0, 50);
  const result::Kernels found = kernels_of(test::list_of(make.make()));
  CHECK(found.rows.empty());
  CHECK(found.calls == 0);
  CHECK(found.precision.empty());
}

TEST_CASE("an occupancy that is no number does not count") {
  test::TraceMaker make;
  const float none = std::numeric_limits<float>::quiet_NaN();
  make.gpu(Kind::kernel, "k", 10, 20).details = make.launch_args(launch(1, 1, none, none));
  make.gpu(Kind::kernel, "k", 30, 40).details = make.launch_args(launch(1, 1, 50, 2));
  const result::Kernels found = kernels_of(test::list_of(make.make()));
  CHECK(found.rows[0].occupancy == 50);
  CHECK(found.rows[0].blocks_per_sm == 2);
}

TEST_CASE("kernels without length have no shares and no means") {
  test::TraceMaker make;
  make.gpu(Kind::kernel, "k", 10, 10).details = make.launch_args(launch(1, 1, 50, 1));
  const result::Kernels found = kernels_of(test::list_of(make.make()));
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].percent == 0);
  CHECK(found.rows[0].mean_us == 0);
  CHECK_FALSE(found.rows[0].occupancy);
}

} // namespace test_kernels

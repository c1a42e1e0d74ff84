#include "aggregate/trace/gpu_activity.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace debrief;
using Kind = SliceKind;

namespace {

std::vector<result::GpuActivity> activity_of(const std::vector<Trace>& traces) {
  return gpu_activity(std::vector<TraceIndex>(traces.begin(), traces.end()));
}

int ns(double us) {
  return static_cast<int>(us * 1000 + 0.5);
}

/// Idle, host wait, kernel wait, other, in nanoseconds.
std::vector<int> waits(const result::GpuActivity& gpu) {
  return {ns(gpu.idle_us), ns(gpu.host_wait_us), ns(gpu.kernel_wait_us), ns(gpu.other_wait_us)};
}

using Waits = std::vector<int>;

} // namespace

TEST_CASE("a GPU is busy while some stream works within the profiled time") {
  test::TraceMaker make;
  make.step(0, 100, 200);
  make.step(1, 200, 300);
  make.gpu(Kind::kernel, "a", 50, 120, 7);
  make.gpu(Kind::kernel, "b", 110, 150, 8);
  make.gpu(Kind::kernel, "ncclKernel_AllReduce", 140, 180, 9);
  make.gpu(Kind::memcpy, "Memcpy HtoD (Pinned -> Device)", 170, 190, 7);
  make.gpu(Kind::memset, "Memset (Device)", 290, 400, 7);
  make.gpu(Kind::kernel, "other device", 100, 300, 7, 1);
  make.gpu(Kind::gpu_annotation, "range", 100, 300, 7);
  make.trace().gpus.push_back({0, "NVIDIA H200", {}, {}, {}, {}, {}});
  const auto found = activity_of(test::list_of(make.make()));
  REQUIRE(found.size() == 2);
  const result::GpuActivity& gpu = found[0];
  CHECK(gpu.device == 0);
  CHECK(gpu.gpu == "NVIDIA H200");
  CHECK(gpu.streams == 3);
  CHECK(ns(gpu.profiled_us) == 200);
  CHECK(ns(gpu.busy_us) == 100);
  CHECK(ns(gpu.kernel_us) == 50);
  CHECK(ns(gpu.communication_us) == 40);
  CHECK(ns(gpu.memory_us) == 30);
  CHECK_FALSE(gpu.sm_efficiency);
  CHECK_FALSE(gpu.occupancy);
  CHECK(waits(gpu) == Waits{100, 0, 0, 100}); // nothing is known of launches
  CHECK(found[1].device == 1);
  CHECK(found[1].gpu.empty());
  CHECK(waits(found[1]) == Waits{0, 0, 0, 0});
}

TEST_CASE("a gap is blamed by the work after it") {
  test::TraceMaker make;
  make.step(0, 0, 1000);
  make.launched("first", 10, 100, 200);      // launched after the step began: the host's 100
  make.launched("second", 120, 220, 300);    // launched before the gap of 20
  make.launched("third", 130, 400, 500);     // launched before the gap of 100
  make.launched("fourth", 510, 600, 650);    // the host's 100
  make.gpu(Kind::kernel, "fifth", 700, 800); // no launch: 50
  make.launched("later", 900, 1200, 1300);   // after the step: the host's 200
  const auto found = activity_of(test::list_of(make.make()));
  REQUIRE(found.size() == 1);
  CHECK(waits(found[0]) == Waits{570, 400, 20, 150});
}

TEST_CASE("a gap of kKernelWait is no kernel wait any more") {
  test::TraceMaker make;
  make.step(0, 0, 220);
  make.launched("first", -10, 0, 100);
  make.launched("second", 1, 129, 200);
  make.launched("third", 2, 230, 250); // launched before the step's last gap of 20, ended by it
  CHECK(waits(activity_of(test::list_of(make.make()))[0]) == Waits{49, 0, 29, 20});
  test::TraceMaker slower;
  slower.step(0, 0, 200);
  slower.launched("first", -10, 0, 100);
  slower.launched("second", 1, 130, 200);
  CHECK(waits(activity_of(test::list_of(slower.make()))[0]) == Waits{30, 0, 0, 30});
}

TEST_CASE("kernels before their launch and nothing after the last gap do no harm") {
  test::TraceMaker make;
  make.step(0, 0, 300);
  make.launched("early", 150, 100, 200); // its launch is after its start
  CHECK(waits(activity_of(test::list_of(make.make()))[0]) == Waits{200, 100, 0, 100});
}

TEST_CASE("cycles of one process add up, and time between steps does not count") {
  test::TraceMaker first{"a"};
  first.step(0, 0, 100);
  first.step(1, 150, 250);
  first.gpu(Kind::kernel, "k", 50, 200);
  test::TraceMaker second{"a"};
  second.step(9, 1000, 1100);
  second.gpu(Kind::kernel, "k", 1000, 1030, 8);
  const auto found = activity_of(test::list_of(first.make(), second.make()));
  REQUIRE(found.size() == 1);
  CHECK(ns(found[0].profiled_us) == 300);
  CHECK(ns(found[0].busy_us) == 130);
  CHECK(ns(found[0].idle_us) == 170);
  CHECK(found[0].streams == 2);
}

TEST_CASE("kernels fill a GPU by their blocks, at most all of it") {
  test::TraceMaker make;
  LaunchArgs half;
  half.blocks_per_sm = 0.5F;
  half.occupancy = 20;
  LaunchArgs whole;
  whole.blocks_per_sm = 8;
  whole.occupancy = 80;
  make.step(0, 0, 100);
  make.gpu(Kind::kernel, "a", -50, 40, 7).details = make.launch_args(half);
  make.gpu(Kind::kernel, "b", 30, 60, 8).details = make.launch_args(whole);
  make.gpu(Kind::kernel, "c", 70, 80, 8);
  const auto found = activity_of(test::list_of(make.make()));
  CHECK(found[0].sm_efficiency == 15 + 30); // half of 0-30, all of 30-60
  CHECK(found[0].occupancy == (20.0 * 40 + 80.0 * 30) / 70);
}

TEST_CASE("without a GPU there is no activity") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::mm", 0, 50);
  CHECK(activity_of(test::list_of(make.make(), Trace{})).empty());
}

#include "aggregate/trace/figures.h"
#include "aggregate/trace/host_times.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_gpu_activity {

using namespace debrief;
using Kind = job::SliceKind;

namespace {

std::vector<result::GpuActivity> activity_of(const std::vector<job::Trace>& traces) {
  return aggregate::gpu_activity(std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
}

int ns(double us) {
  return static_cast<int>(us * 1000 + 0.5);
}

/// Idle, host wait, kernel wait, other, in nanoseconds.
std::vector<int> waits(const result::GpuActivity& gpu) {
  return {ns(gpu.idle_us), ns(gpu.host_wait_us), ns(gpu.kernel_wait_us), ns(gpu.other_wait_us)};
}

using Waits = std::vector<int>;

constexpr auto kWait = static_cast<std::int64_t>(result::kKernelWaitUs * 1000 + 0.5);

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
  CHECK(found[1].gpu == "NVIDIA H200"); // of another number, but one machine has one model
  CHECK(waits(found[1]) == Waits{0, 0, 0, 0});
}

TEST_CASE("a gap is blamed by the work after it") {
  constexpr std::int64_t kLong = 10 * kWait;
  test::TraceMaker make;
  std::int64_t at = 1000;
  make.step(0, at, at + 6 * kLong + kWait - 1);
  make.launched("first", at + kLong - 5, at + kLong, at + 2 * kLong); // the host is late by kLong
  at += 2 * kLong;
  make.launched("second", at - 5, at + kWait - 1, at + kLong); // launched before a short gap
  at += kLong;
  make.launched("third", at - 5, at + kWait, at + kLong); // launched before a gap that is too long
  at += kLong;
  make.gpu(Kind::kernel, "fourth", at + 7, at + kLong); // no launch
  at += kLong;
  make.launched("fifth", at - 5, at + kLong, at + 2 * kLong); // just when the gap begins: on time
  const auto found = activity_of(test::list_of(make.make()));
  REQUIRE(found.size() == 1);
  const auto w = static_cast<int>(kWait);
  CHECK(waits(found[0]) == Waits{10 * w + w - 1 + w + 7 + 10 * w, 10 * w, w - 1, w + 7 + 10 * w});
}

TEST_CASE("a gap that the step's end cuts off is the host's where what follows was launched late") {
  test::TraceMaker late;
  late.step(0, 0, 1000);
  late.launched("last", 0, 0, 900);
  late.launched("of the next step", 1001, 1200, 1300);
  CHECK(waits(activity_of(test::list_of(late.make()))[0]) == Waits{100, 100, 0, 0});
  test::TraceMaker early;
  early.step(0, 100, 1000);
  early.launched("last", 100, 100, 999);
  early.launched("of before", 20, 1200, 1300);
  CHECK(waits(activity_of(test::list_of(early.make()))[0]) == Waits{1, 0, 0, 1});
}

TEST_CASE("the host is late until its launch returns, and what follows is something else") {
  test::TraceMaker make;
  make.step(0, 0, 10 * kWait);
  make.launched("first", 3, 10, 1000);
  make.launched("second", 1995, 1000 + 5 * kWait, 10 * kWait); // the call returns at 2000
  CHECK(waits(activity_of(test::list_of(make.make()))[0]) ==
        Waits{10 + 5 * static_cast<int>(kWait), 1008, 2, 5 * static_cast<int>(kWait) - 1000});
}

TEST_CASE("a copy that the host waits for is asked for as its call begins") {
  test::TraceMaker make;
  make.step(0, 0, 400'000);
  make.cpu(Kind::runtime, "hipMemcpyWithStream", 100, 300'100).correlation = 1;
  make.gpu(Kind::memcpy, "Memcpy DtoH (Device -> Pageable)", 300'000, 300'100).correlation = 1;
  CHECK(waits(activity_of(test::list_of(make.make()))[0])[1] == 100);
}

TEST_CASE("the GPU is idle because the host waited for it") {
  test::TraceMaker make;
  make.step(0, 0, 1000);
  make.launched("first", 0, 10, 300);
  make.cpu(Kind::runtime, "cudaStreamSynchronize", 50, 310);  // the queue runs empty at 300
  make.launched("second", 500, 510, 800);                     // launched again at 505
  make.cpu(Kind::runtime, "cudaStreamSynchronize", 600, 700); // the GPU has work: it costs nothing
  const auto found = activity_of(test::list_of(make.make()));
  CHECK(ns(found[0].host_sync_us) == 505 - 300);

  test::TraceMaker loading;
  loading.step(0, 0, 1000);
  loading.launched("first", 0, 10, 300);
  loading.cpu(Kind::runtime, "cudaStreamSynchronize", 50, 310);
  loading.cpu(Kind::annotation, "enumerate(DataLoader)#_SingleProcess.__next__", 320, 480);
  loading.launched("second", 500, 510, 800);
  CHECK(ns(activity_of(test::list_of(loading.make()))[0].host_sync_us) == 505 - 300 - 160);
}

TEST_CASE("the GPU is idle because the host ran code outside PyTorch") {
  constexpr std::int64_t kLong = 2 * aggregate::kOtherCode.count();
  test::TraceMaker make;
  make.step(0, 0, 10 * kLong);
  make.launched("first", 0, 5, kLong);
  make.launched("second", 3 * kLong, 3 * kLong + 10, 4 * kLong); // a call of 5 ns
  make.cpu(Kind::op, "aten::add", 4 * kLong, 4 * kLong + 100);
  // Half a long one after the operator's end: just within reach.
  make.launched("third", 4 * kLong + 100 + aggregate::kOtherCode.count(), 5 * kLong, 10 * kLong);
  const auto found = activity_of(test::list_of(make.make()));
  // From the end of the first kernel to the launch of the second.
  CHECK(ns(found[0].outside_wait_us) == 2 * kLong);
  CHECK(ns(found[0].host_sync_us) == 0);

  test::TraceMaker told;
  told.step(0, 0, 10 * kLong);
  told.launched("first", 0, 5, kLong);
  told.cpu(Kind::op, "inductor (dynamo_timed)", kLong, 2 * kLong);
  told.cpu(Kind::runtime, "cudaStreamSynchronize", 2 * kLong, 3 * kLong);
  told.cpu(Kind::annotation, "enumerate(DataLoader)#_SingleProcess.__next__", 3 * kLong, 4 * kLong);
  told.cpu(Kind::annotation, "my own range", 4 * kLong, 6 * kLong); // holds anything
  told.launched("second", 6 * kLong, 6 * kLong + 5, 10 * kLong);
  const auto each = activity_of(test::list_of(told.make()));
  CHECK(ns(each[0].setup_wait_us) == kLong);
  CHECK(ns(each[0].outside_wait_us) == 2 * kLong);
}

TEST_CASE("threads that launch nothing say nothing of the code that the GPU waits for") {
  constexpr std::int64_t kLong = 2 * aggregate::kOtherCode.count();
  test::TraceMaker make;
  make.step(0, 0, 3 * kLong);
  make.launched("first", 0, 5, 10);
  make.launched("second", 2 * kLong, 2 * kLong + 10, 3 * kLong);
  make.cpu(Kind::op, "aten::pin_memory", 0, 3 * kLong, 77);
  CHECK(ns(activity_of(test::list_of(make.make()))[0].outside_wait_us) > kLong);
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
  job::LaunchArgs half;
  half.blocks_per_sm = 0.5F;
  half.occupancy = 20;
  job::LaunchArgs whole;
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
  CHECK(activity_of(test::list_of(make.make(), job::Trace{})).empty());
}

} // namespace test_gpu_activity

#include "aggregate/trace/critical_path.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_critical_path {

using namespace debrief;
using test::TraceMaker;

namespace {

constexpr auto kOp = job::SliceKind::op;
constexpr auto kRuntime = job::SliceKind::runtime;

/// Segments in ns, one after the other; checks that nothing lies between them.
std::string segments_of(const aggregate::TraceIndex& index, std::size_t step) {
  const aggregate::StepPath path = aggregate::critical_path(index, index.steps[step]);
  std::string out;
  Nanoseconds at = index.steps[step].start;
  for (const aggregate::PathSegment& segment : path.segments) {
    CHECK(segment.start == at);
    at = segment.end;
    out += fmt::format("{} {}: {}\n", (segment.end - segment.start).count(),
                       result::kPathParts[static_cast<std::size_t>(segment.part)],
                       aggregate::name_or_empty(index, segment.slice));
  }
  CHECK(at == index.steps[step].end);
  return out;
}

/// Parts that are on the path: ns, and what they could gain.
std::string parts_of(const aggregate::TraceIndex& index, std::size_t step) {
  const auto figures = aggregate::path_figures(
      index, index.steps[step], aggregate::critical_path(index, index.steps[step]), "median");
  std::string out;
  for (const result::PathPart& part : figures.parts)
    if (part.us > 0)
      out +=
          fmt::format("{}: {:.0f}, gains {:.0f}\n", part.part, part.us * 1000, part.gain_us * 1000);
  return out;
}

/// Two kernels one after the other, and a host that waits for them.
TraceMaker waiting_host() {
  TraceMaker maker;
  maker.step(1, 0, 1000);
  maker.cpu(kOp, "aten::mm", 100, 400);
  maker.launched("gemm", 200, 250, 700);
  maker.cpu(kOp, "aten::add", 400, 450);
  maker.launched("add", 420, 710, 800);
  maker.cpu(kRuntime, "cudaDeviceSynchronize", 500, 850);
  return maker;
}

} // namespace

TEST_CASE("a path leads from a wait over kernels and their launch to the host") {
  const job::Trace trace = waiting_host().make();
  CHECK(segments_of(aggregate::TraceIndex{trace}, 0) == "100 other host code: \n"
                                                        "100 CPU operators: aten::mm\n"
                                                        "50 launch: gemm\n"
                                                        "450 compute: gemm\n"
                                                        "10 kernel gaps: add\n"
                                                        "90 compute: add\n"
                                                        "50 sync wait: cudaDeviceSynchronize\n"
                                                        "150 other host code: \n");
}

TEST_CASE("a part gains what the next path leaves") {
  const job::Trace trace = waiting_host().make();
  // Without kernels the host waits no more: it takes 500 ns up to there, and 150 after.
  CHECK(parts_of(aggregate::TraceIndex{trace}, 0) == "CPU operators: 100, gains 100\n"
                                                     "other host code: 250, gains 250\n"
                                                     "launch: 50, gains 50\n"
                                                     "compute: 540, gains 350\n"
                                                     "kernel gaps: 10, gains 10\n"
                                                     "sync wait: 50, gains 50\n");
}

TEST_CASE("what a wait had not to wait for is the call's own time") {
  TraceMaker maker;
  maker.step(1, 0, 100);
  maker.launched("short", 10, 20, 30);
  maker.cpu(kRuntime, "cudaStreamSynchronize", 50, 80);
  const job::Trace trace = maker.make();
  CHECK(parts_of(aggregate::TraceIndex{trace}, 0) == "other host code: 65, gains 65\n"
                                                     "runtime calls: 35, gains 35\n");
}

TEST_CASE("the thread of the backward pass and the one that waits for it depend on each other") {
  TraceMaker maker;
  maker.step(1, 0, 700);
  maker.cpu(kOp, "forward", 0, 100);
  maker.cpu(kOp, "autograd::engine::evaluate_function: MmBackward0", 150, 550, 2);
  maker.cpu(kOp, "optimizer", 600, 700);
  maker.cpu(kRuntime, "cudaEventQuery", 580, 590, 3); // of a thread that only looks
  const job::Trace trace = maker.make();
  CHECK(segments_of(aggregate::TraceIndex{trace}, 0) ==
        "100 CPU operators: forward\n"
        "50 other host code: \n"
        "400 CPU operators: autograd::engine::evaluate_function: MmBackward0\n"
        "50 other host code: \n"
        "100 CPU operators: optimizer\n");
}

TEST_CASE("a step of a host that runs ahead is the GPU's, and gains no more than the host leaves") {
  TraceMaker maker;
  maker.step(1, 0, 100);
  maker.launched("first", 10, 20, 420);
  maker.step(2, 100, 200);
  maker.launched("second", 110, 420, 820);
  const job::Trace trace = maker.make();
  CHECK(parts_of(aggregate::TraceIndex{trace}, 1) == "compute: 400, gains 300\n");
}

namespace {

constexpr std::int64_t kMicrosecond = 1000;

/// A reduction on stream 20 that is launched while a kernel runs whose result it needs.
TraceMaker reduction() {
  const auto us = [](std::int64_t value) { return value * kMicrosecond; };
  TraceMaker maker;
  maker.step(1, 0, us(1000));
  maker.launched("gemm", us(100), us(110), us(600));
  maker.cpu(kRuntime, "cudaEventRecord", us(120), us(125)).correlation = 70;
  maker.cpu(kRuntime, "cudaStreamWaitEvent", us(130), us(135)).correlation = 71;
  maker.launched("ncclDevKernel_AllReduce", us(140), us(610), us(900), 20);
  maker.cpu(kRuntime, "cudaDeviceSynchronize", us(300), us(1000));
  return maker;
}

} // namespace

TEST_CASE("without records of synchronization, what starts late waits for what ended before") {
  const job::Trace trace = reduction().make();
  CHECK(segments_of(aggregate::TraceIndex{trace}, 0) ==
        "100000 other host code: \n"
        "10000 launch: gemm\n"
        "490000 compute: gemm\n"
        "10000 kernel gaps: ncclDevKernel_AllReduce\n"
        "290000 communication: ncclDevKernel_AllReduce\n"
        "100000 sync wait: cudaDeviceSynchronize\n");
}

TEST_CASE("what was launched later is not waited for") {
  TraceMaker maker;
  maker.step(1, 0, 200'000);
  maker.launched("late", 10'000, 100'000, 150'000, 20);
  maker.launched("other", 20'000, 21'000, 99'000);
  maker.cpu(kRuntime, "cudaDeviceSynchronize", 30'000, 200'000);
  const job::Trace trace = maker.make();
  CHECK(segments_of(aggregate::TraceIndex{trace}, 0) == "10000 other host code: \n"
                                                        "90000 launch: late\n"
                                                        "50000 compute: late\n"
                                                        "50000 sync wait: cudaDeviceSynchronize\n");
}

TEST_CASE("where events are recorded, a stream waits for no other") {
  TraceMaker maker = reduction();
  maker.launched("unrelated", 128'000, 200'000, 605'000, 8);
  job::Slice& wait = maker.gpu(job::SliceKind::gpu_wait, "Stream Wait Event", 131'000, 132'000, 20);
  wait.correlation = 71;
  wait.details = 0;
  maker.trace().waits = {{7, 70}}; // for stream 7, by the event that call 70 recorded
  const job::Trace trace = maker.make();
  CHECK(segments_of(aggregate::TraceIndex{trace}, 0) ==
        "100000 other host code: \n"
        "10000 launch: gemm\n"
        "490000 compute: gemm\n"
        "10000 kernel gaps: ncclDevKernel_AllReduce\n"
        "290000 communication: ncclDevKernel_AllReduce\n"
        "100000 sync wait: cudaDeviceSynchronize\n");
}

TEST_CASE("what a path goes through is summed by name and part") {
  const job::Trace trace = waiting_host().make();
  const aggregate::TraceIndex index{trace};
  const auto figures = aggregate::path_figures(
      index, index.steps[0], aggregate::critical_path(index, index.steps[0]), "only");
  REQUIRE(figures.items.size() == 7);
  CHECK(figures.items[0].name == "gemm");
  CHECK(figures.items[1].name.empty()); // between operators, twice
  CHECK(figures.items[1].count == 2);
  CHECK(figures.items[1].percent == 25);
}

TEST_CASE("a step in which nothing is recorded but itself has no way back") {
  TraceMaker maker;
  maker.step(1, 0, 100);
  const job::Trace trace = maker.make();
  const aggregate::TraceIndex index{trace};
  CHECK(segments_of(index, 0) == "100 other host code: \n");
}

} // namespace test_critical_path

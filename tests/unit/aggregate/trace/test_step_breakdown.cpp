#include "aggregate/trace/figures.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_step_breakdown {

using namespace debrief;
using Kind = job::SliceKind;

namespace {

/// Parts in nanoseconds.
template <typename Breakdown>
std::vector<int> parts_of(const Breakdown& breakdown) {
  std::vector<int> parts;
  for (const result::StepPart& part : breakdown.parts)
    parts.push_back(static_cast<int>(part.us * 1000 + 0.5));
  return parts;
}

aggregate::StepFigures figures_of(const std::vector<job::Trace>& traces) {
  return aggregate::step_breakdown(
      std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
}

using Parts = std::vector<int>;

} // namespace

TEST_CASE("each moment of a step counts once, for the first part in it") {
  test::TraceMaker make;
  make.step(3, 1000, 2000);
  make.gpu(Kind::kernel, "gemm", 900, 1100, 7); // began before the step
  make.gpu(Kind::kernel, "relu", 1050, 1150, 8);
  make.gpu(Kind::memcpy, "Memcpy HtoD (Pinned -> Device)", 1140, 1200);
  make.gpu(Kind::memset, "Memset (Device)", 1190, 1220);
  make.gpu(Kind::kernel, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1100, 1300, 9);
  make.cpu(Kind::runtime, "cudaLaunchKernel", 1250, 1350);
  make.cpu(Kind::annotation, "enumerate(DataLoader)#_Iter.__next__", 1340, 1400);
  make.cpu(Kind::op, "aten::add", 1390, 1500);
  make.cpu(Kind::annotation, "my range", 1600, 1700);
  make.gpu(Kind::gpu_annotation, "my range", 1600, 1700);
  make.cpu(Kind::overhead, "Buffer Flush", 1800, 1900);
  const aggregate::StepFigures figures = figures_of(test::list_of(make.make()));
  REQUIRE(figures.steps.size() == 1);
  const result::StepBreakdown& step = figures.steps[0];
  CHECK(parts_of(step) == Parts{150, 50, 20, 80, 50, 50, 100, 500});
  CHECK(step.number == 3);
  CHECK(step.us == 1.0);
  CHECK(step.gpu_busy_us == 0.3);
  CHECK(step.parts[0].part == "kernel");
  CHECK(step.parts[0].percent == 15);
  CHECK(step.parts[7].part == "other");
}

TEST_CASE("collectives on the CPU communicate; NCCL's annotations only launch") {
  test::TraceMaker make;
  make.step(0, 0, 100);
  make.cpu(Kind::annotation, "gloo:all_reduce", 10, 30, 2);
  make.cpu(Kind::annotation, "nccl:all_reduce", 40, 60, 2);
  CHECK(parts_of(figures_of(test::list_of(make.make())).steps[0]) ==
        Parts{0, 0, 0, 20, 0, 0, 0, 80});
}

TEST_CASE("a kernel with a collective's arguments communicates whatever its name is") {
  test::TraceMaker make;
  make.step(0, 0, 100);
  job::LaunchArgs launch;
  launch.collective = 0;
  make.gpu(Kind::kernel, "custom_reduce", 10, 30).details = make.launch_args(launch);
  CHECK(parts_of(figures_of(test::list_of(make.make())).steps[0]) ==
        Parts{0, 0, 0, 20, 0, 0, 0, 80});
}

TEST_CASE("steps that overlap are each taken on their own, and cycles of a process together") {
  test::TraceMaker first{"a"};
  first.step(1, 0, 100);
  first.step(2, 50, 150);
  first.gpu(Kind::kernel, "k", 40, 60);
  test::TraceMaker other{"b"};
  other.step(1, 0, 10);
  test::TraceMaker second{"a"};
  second.step(9, 1000, 1100);
  second.gpu(Kind::kernel, "k", 1000, 1100);
  const aggregate::StepFigures figures =
      figures_of(test::list_of(first.make(), other.make(), second.make()));
  REQUIRE(figures.steps.size() == 4);
  CHECK(parts_of(figures.steps[0])[0] == 20);
  CHECK(parts_of(figures.steps[1])[0] == 10);
  REQUIRE(figures.processes.size() == 2);
  CHECK(figures.processes[0].process == "a");
  CHECK(figures.processes[0].steps == 3);
  CHECK(figures.processes[0].us == 0.3);
  CHECK(parts_of(figures.processes[0]) == Parts{130, 0, 0, 0, 0, 0, 0, 170});
  CHECK(figures.processes[1].steps == 1);
}

TEST_CASE("a trace without steps is one step without a number; an empty one is none") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::add", 100, 180);
  make.cpu(Kind::op, "aten::mul", 190, 200);
  make.trace().clock_known = false;
  const aggregate::StepFigures figures = figures_of(test::list_of(make.make(), job::Trace{}));
  REQUIRE(figures.steps.size() == 1);
  CHECK_FALSE(figures.steps[0].number);
  CHECK_FALSE(figures.steps[0].start);
  CHECK(figures.processes[0].steps == 0);
  CHECK(parts_of(figures.steps[0]) == Parts{0, 0, 0, 0, 0, 0, 90, 10});
  CHECK(figures.steps[0].gpu_busy_us == 0);
}

} // namespace test_step_breakdown

#include "aggregate/trace/index.h"
#include "aggregate/trace/iterations.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace test_iterations {

using namespace debrief;
using Kind = job::SliceKind;
using result::StepPhase;
using result::StepSource;

namespace {

/// Start and end of the steps as they ran, with their numbers.
using Ran = std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>;

Ran ran(const aggregate::TraceIndex& index) {
  Ran out;
  for (const aggregate::TraceStep& step : index.steps)
    out.emplace_back(step.start.count(), step.end.count(), step.number.value_or(-1));
  return out;
}

/// A launch that takes 5 ns at `call` and a kernel.
void add_work(test::TraceMaker& make, std::int64_t call, std::int64_t start, std::int64_t end) {
  make.launched("k", call, start, end);
}

} // namespace

TEST_CASE("a step on a GPU that keeps up is the host's") {
  test::TraceMaker make;
  make.step(3, 0, 1000);
  add_work(make, 100, 110, 900);
  make.step(4, 1010, 2000);
  add_work(make, 1100, 1110, 1900);
  const job::Trace trace = make.make();
  const aggregate::TraceIndex index{trace};
  CHECK(index.step_source == StepSource::profiler_step);
  CHECK(ran(index) == Ran{{0, 1000, 3}, {1010, 2000, 4}});
}

TEST_CASE("a step runs from where the GPU turns to its work to where it turns to the next") {
  test::TraceMaker make; // the GPU is 2,000 ns behind, and each step takes it 1,500
  make.gpu(Kind::kernel, "of a step before the trace", 0, 2000);
  make.step(1, 0, 1000);
  add_work(make, 100, 2000, 3500);
  make.step(2, 1000, 2000);
  add_work(make, 1100, 3500, 5000);
  make.step(3, 2000, 3000);
  add_work(make, 2100, 5000, 6500);
  const job::Trace trace = make.make();
  const aggregate::TraceIndex index{trace};
  CHECK(ran(index) == Ran{{2000, 3500, 1}, {3500, 5000, 2}, {5000, 6500, 3}});
  CHECK(index.steps[2].host_start == Nanoseconds{2000});
  CHECK(aggregate::step_at(index.steps, Nanoseconds{2100}) == &index.steps[2]);
  CHECK(aggregate::step_at(index.steps, Nanoseconds{3000}) == nullptr);
}

TEST_CASE("what a pipeline starts for later does not make its step longer") {
  test::TraceMaker make;
  make.step(1, 0, 1000);
  add_work(make, 100, 110, 1800); // runs into the next step, whose work has begun
  make.step(2, 1000, 2000);
  add_work(make, 1010, 1020, 2900);
  const job::Trace trace = make.make();
  CHECK(ran(aggregate::TraceIndex{trace}) == Ran{{0, 1020, 1}, {1020, 2040, 2}});
}

TEST_CASE("work that a step waits to launch is not queued: the step begins with the host") {
  test::TraceMaker make; // loads for 700 ns first
  make.step(1, 0, 1000);
  add_work(make, 700, 750, 1400);
  const job::Trace trace = make.make();
  CHECK(ran(aggregate::TraceIndex{trace}) == Ran{{0, 1400, 1}});
}

TEST_CASE("without ProfilerStep the optimizer marks steps, then the data loader, then modules") {
  const auto add_loop = [](test::TraceMaker& make, const std::string& name, Kind kind) {
    for (std::int64_t at = 0; at < 3; ++at)
      make.cpu(kind, name, 1000 * at + 100, 1000 * at + 900);
  };
  test::TraceMaker optimizer;
  add_loop(optimizer, "Optimizer.step#Adam.step", Kind::annotation);
  add_loop(optimizer, "enumerate(DataLoader)#Iter.__next__", Kind::annotation);
  const job::Trace by_optimizer = optimizer.make();
  const aggregate::TraceIndex first{by_optimizer};
  CHECK(first.step_source == StepSource::optimizer_step);
  CHECK(ran(first) == Ran{{900, 1900, 1}, {1900, 2900, 2}});

  test::TraceMaker loader;
  add_loop(loader, "enumerate(DataLoader)#Iter.__next__", Kind::annotation);
  add_loop(loader, "nn.Module: Net_0", Kind::module);
  const job::Trace by_loader = loader.make();
  const aggregate::TraceIndex second{by_loader};
  CHECK(second.step_source == StepSource::data_loader);
  CHECK(ran(second) == Ran{{100, 1100, 1}, {1100, 2100, 2}});

  test::TraceMaker module;
  add_loop(module, "nn.Module: Net_0", Kind::module);
  module.cpu(Kind::module, "nn.Module: Linear_0", 200, 300); // inside of one
  const job::Trace by_module = module.make();
  const aggregate::TraceIndex third{by_module};
  CHECK(third.step_source == StepSource::module_call);
  CHECK(ran(third) == Ran{{100, 900, 1}, {1100, 1900, 2}, {2100, 2900, 3}});
}

TEST_CASE("graph launches mark iterations, and one alone does not") {
  const auto made = [](std::int64_t launches) {
    test::TraceMaker make;
    for (std::int64_t at = 0; at < launches; ++at)
      make.cpu(Kind::runtime, "cudaGraphLaunch", 100 * at, 100 * at + 10);
    return make.make();
  };
  const job::Trace three = made(3);
  CHECK(aggregate::TraceIndex{three}.step_source == StepSource::graph_launch);
  CHECK(ran(aggregate::TraceIndex{three}) == Ran{{0, 100, 1}, {100, 200, 2}});
  const job::Trace one = made(1);
  CHECK(aggregate::TraceIndex{one}.step_source == StepSource::none);
  CHECK(ran(aggregate::TraceIndex{one}) == Ran{{0, 10, -1}});
}

TEST_CASE("iterations of serving engines say their phase and their tokens") {
  const auto of = [](const char* name) { return aggregate::engine_iteration(name); };
  const auto vllm = of("execute_context_1(888)_generation_0(0)");
  REQUIRE(vllm);
  CHECK(vllm->phase == StepPhase::prefill);
  CHECK(vllm->tokens == 888);
  const auto decode =
      of("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk32785sqsq32sqsk32785)");
  REQUIRE(decode);
  CHECK(decode->phase == StepPhase::decode);
  CHECK(decode->tokens == 32);
  const auto mixed = of("execute_context_2(10_5)_generation_3(3)");
  REQUIRE(mixed);
  CHECK(mixed->phase == StepPhase::mixed);
  CHECK(mixed->tokens == 13);
  const auto sglang = of("step[DECODE bs=32]");
  REQUIRE(sglang);
  CHECK(sglang->phase == StepPhase::decode);
  CHECK(sglang->tokens == 32);
  CHECK(of("step[EXTEND bs=1 toks=888]")->tokens == 888);
  CHECK_FALSE(of("step[other]"));
  CHECK_FALSE(of("execute_context_x(1)_generation_0(0)"));
  CHECK_FALSE(of("execute_context_1(888"));
  CHECK_FALSE(of("executes"));
}

TEST_CASE("an iteration within another is a part of it") {
  test::TraceMaker make;
  make.cpu(Kind::annotation, "execute_context_0(0)_generation_0(0)", 0, 1000);
  make.cpu(Kind::annotation, "step[DECODE bs=32]", 100, 900);
  make.cpu(Kind::annotation, "execute_context_1(7)_generation_0(0)", 1000, 2000);
  const job::Trace trace = make.make();
  const aggregate::TraceIndex index{trace};
  CHECK(index.step_source == StepSource::engine_iteration);
  CHECK(ran(index) == Ran{{0, 1000, 1}, {1000, 2000, 2}});
  CHECK(index.steps[0].phase == StepPhase::decode);
  CHECK(index.steps[0].tokens == 32);
  CHECK(index.steps[1].phase == StepPhase::prefill);
}

} // namespace test_iterations

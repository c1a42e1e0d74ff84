#include "aggregate/work.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_work {

using namespace debrief;

namespace {

aggregate::Work kind_of(const std::string& phase,
                        job::TimelineKind kind = job::TimelineKind::python) {
  const job::EventTable events = test::events({{.phase = phase, .kind = kind}});
  return aggregate::WorkKinds{events}.of(0);
}

} // namespace

TEST_CASE("a phase's name says what kind of work it is") {
  CHECK(kind_of("Step:ModeKeys.TRAIN") == aggregate::Work::step);
  CHECK(kind_of("Step:ModeKeys.GLOBAL") == aggregate::Work::step);
  CHECK(kind_of("cpu_functions") == aggregate::Work::cpu_operator);
  CHECK(kind_of("gpu_functions-dev:0") == aggregate::Work::gpu_operator);
  CHECK(kind_of("/host:CPU") == aggregate::Work::cpu_operator);
  CHECK(kind_of("/device:GPU:0/stream:all") == aggregate::Work::gpu_operator);
  CHECK(kind_of("Forward") == aggregate::Work::forward);
  CHECK(kind_of("Backward(post-forward)") == aggregate::Work::backward);
  CHECK(kind_of("Forward-SubModuleInternal") == aggregate::Work::forward_submodule);
  CHECK(kind_of("Backward-SubModuleInternal") == aggregate::Work::backward_submodule);
  CHECK(kind_of("DataLoaderIterInitialize") == aggregate::Work::loader_setup);
  CHECK(kind_of("DataLoaderIter") == aggregate::Work::loader_next);
  CHECK(kind_of("DataIterator") == aggregate::Work::loader_next);
  CHECK(kind_of("DataLoaderWorker") == aggregate::Work::loader_worker);
  CHECK(kind_of("NcclManager") == aggregate::Work::collective);
}

TEST_CASE("what no one knows is general work") {
  for (const char* phase : {"", "checkpoint", "step:modekeys", "forward", "cp", "GP U", "\xff\xfe"})
    CHECK(kind_of(phase) == aggregate::Work::general);
}

TEST_CASE("recorders of communication record nothing else") {
  CHECK(kind_of("cpu_tensor", job::TimelineKind::horovod) == aggregate::Work::collective);
  CHECK(kind_of("Step:ModeKeys.TRAIN", job::TimelineKind::smdataparallel) ==
        aggregate::Work::collective);
  CHECK(kind_of("cpu_tensor", job::TimelineKind::model) == aggregate::Work::cpu_operator);
}

TEST_CASE("kinds go by row where a table has several") {
  const job::EventTable events =
      test::events({{.phase = "Forward"},
                    {.phase = "ring", .kind = job::TimelineKind::horovod},
                    {.phase = "cpu_functions"},
                    {.phase = "Forward"}});
  const aggregate::WorkKinds kinds{events};
  CHECK(kinds.of(0) == aggregate::Work::forward);
  CHECK(kinds.of(1) == aggregate::Work::collective);
  CHECK(kinds.of(2) == aggregate::Work::cpu_operator);
  CHECK(kinds.of(3) == aggregate::Work::forward);
}

TEST_CASE("a mode is what follows the first dot") {
  CHECK(aggregate::mode_of("Step:ModeKeys.TRAIN") == "TRAIN");
  CHECK(aggregate::mode_of("Step:ModeKeys.a.b") == "a.b");
  CHECK(aggregate::mode_of("Step:ModeKeys") == "Step:ModeKeys");
  CHECK(aggregate::mode_of("Step:ModeKeys.").empty());
  CHECK(aggregate::mode_of("").empty());
}

TEST_CASE("a timeline belongs to its process, else to its node") {
  job::Timeline timeline;
  CHECK(aggregate::process_name(timeline) == "unknown process");
  timeline.node = "algo-1";
  CHECK(aggregate::process_name(timeline) == "algo-1");
  timeline.process = "algo-1-27";
  CHECK(aggregate::process_name(timeline) == "algo-1-27");
}

TEST_CASE("steps out of traces are no timeline of the framework") {
  const test::Event step{.phase = "Step:ModeKeys.PROFILED",
                         .duration = 1,
                         .kind = job::TimelineKind::pytorch_profiler};
  CHECK_FALSE(aggregate::has_timelines({}));
  CHECK_FALSE(aggregate::has_timelines(test::events({step})));
  CHECK(aggregate::has_timelines(test::events({step, {.phase = "Step:ModeKeys.TRAIN"}})));
}

} // namespace test_work

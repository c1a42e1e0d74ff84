#include "aggregate/event_kind.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_event_kind {

using namespace debrief;

namespace {

aggregate::EventKind kind_of(const std::string& phase,
                             job::TimelineKind kind = job::TimelineKind::python) {
  const job::EventTable events = test::events({{.phase = phase, .kind = kind}});
  return aggregate::EventKinds{events}.of(0);
}

} // namespace

TEST_CASE("a phase's name says what kind of work it is") {
  CHECK(kind_of("Step:ModeKeys.TRAIN") == aggregate::EventKind::step);
  CHECK(kind_of("Step:ModeKeys.GLOBAL") == aggregate::EventKind::step);
  CHECK(kind_of("cpu_functions") == aggregate::EventKind::cpu_operator);
  CHECK(kind_of("gpu_functions-dev:0") == aggregate::EventKind::gpu_operator);
  CHECK(kind_of("/host:CPU") == aggregate::EventKind::cpu_operator);
  CHECK(kind_of("/device:GPU:0/stream:all") == aggregate::EventKind::gpu_operator);
  CHECK(kind_of("Forward") == aggregate::EventKind::forward);
  CHECK(kind_of("Backward(post-forward)") == aggregate::EventKind::backward);
  CHECK(kind_of("Forward-SubModuleInternal") == aggregate::EventKind::forward_submodule);
  CHECK(kind_of("Backward-SubModuleInternal") == aggregate::EventKind::backward_submodule);
  CHECK(kind_of("DataLoaderIterInitialize") == aggregate::EventKind::loader_setup);
  CHECK(kind_of("DataLoaderIter") == aggregate::EventKind::loader_next);
  CHECK(kind_of("DataIterator") == aggregate::EventKind::loader_next);
  CHECK(kind_of("DataLoaderWorker") == aggregate::EventKind::loader_worker);
  CHECK(kind_of("NcclManager") == aggregate::EventKind::collective);
}

TEST_CASE("what no one knows is general work") {
  for (const char* phase : {"", "checkpoint", "step:modekeys", "forward", "cp", "GP U", "\xff\xfe"})
    CHECK(kind_of(phase) == aggregate::EventKind::general);
}

TEST_CASE("recorders of communication record nothing else") {
  CHECK(kind_of("cpu_tensor", job::TimelineKind::horovod) == aggregate::EventKind::collective);
  CHECK(kind_of("Step:ModeKeys.TRAIN", job::TimelineKind::smdataparallel) ==
        aggregate::EventKind::collective);
  CHECK(kind_of("cpu_tensor", job::TimelineKind::model) == aggregate::EventKind::cpu_operator);
}

TEST_CASE("kinds go by row where a table has several") {
  const job::EventTable events =
      test::events({{.phase = "Forward"},
                    {.phase = "ring", .kind = job::TimelineKind::horovod},
                    {.phase = "cpu_functions"},
                    {.phase = "Forward"}});
  const aggregate::EventKinds kinds{events};
  CHECK(kinds.of(0) == aggregate::EventKind::forward);
  CHECK(kinds.of(1) == aggregate::EventKind::collective);
  CHECK(kinds.of(2) == aggregate::EventKind::cpu_operator);
  CHECK(kinds.of(3) == aggregate::EventKind::forward);
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

} // namespace test_event_kind

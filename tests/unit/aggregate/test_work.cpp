#include "aggregate/work.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

using namespace debrief;

namespace {

Work kind_of(const std::string& phase, TimelineKind kind = TimelineKind::python) {
  const EventTable events = test::events({{.phase = phase, .kind = kind}});
  return WorkKinds{events}.of(0);
}

} // namespace

TEST_CASE("a phase's name says what kind of work it is") {
  CHECK(kind_of("Step:ModeKeys.TRAIN") == Work::step);
  CHECK(kind_of("Step:ModeKeys.GLOBAL") == Work::step);
  CHECK(kind_of("cpu_functions") == Work::cpu_operator);
  CHECK(kind_of("gpu_functions-dev:0") == Work::gpu_operator);
  CHECK(kind_of("/host:CPU") == Work::cpu_operator);
  CHECK(kind_of("/device:GPU:0/stream:all") == Work::gpu_operator);
  CHECK(kind_of("Forward") == Work::forward);
  CHECK(kind_of("Backward(post-forward)") == Work::backward);
  CHECK(kind_of("Forward-SubModuleInternal") == Work::forward_submodule);
  CHECK(kind_of("Backward-SubModuleInternal") == Work::backward_submodule);
  CHECK(kind_of("DataLoaderIterInitialize") == Work::loader_setup);
  CHECK(kind_of("DataLoaderIter") == Work::loader_next);
  CHECK(kind_of("DataIterator") == Work::loader_next);
  CHECK(kind_of("DataLoaderWorker") == Work::loader_worker);
  CHECK(kind_of("NcclManager") == Work::collective);
}

TEST_CASE("what no one knows is general work") {
  for (const char* phase : {"", "checkpoint", "step:modekeys", "forward", "cp", "GP U", "\xff\xfe"})
    CHECK(kind_of(phase) == Work::general);
}

TEST_CASE("recorders of communication record nothing else") {
  CHECK(kind_of("cpu_tensor", TimelineKind::horovod) == Work::collective);
  CHECK(kind_of("Step:ModeKeys.TRAIN", TimelineKind::smdataparallel) == Work::collective);
  CHECK(kind_of("cpu_tensor", TimelineKind::model) == Work::cpu_operator);
}

TEST_CASE("kinds go by row where a table has several") {
  const EventTable events = test::events({{.phase = "Forward"},
                                          {.phase = "ring", .kind = TimelineKind::horovod},
                                          {.phase = "cpu_functions"},
                                          {.phase = "Forward"}});
  const WorkKinds kinds{events};
  CHECK(kinds.of(0) == Work::forward);
  CHECK(kinds.of(1) == Work::collective);
  CHECK(kinds.of(2) == Work::cpu_operator);
  CHECK(kinds.of(3) == Work::forward);
}

TEST_CASE("a mode is what follows the first dot") {
  CHECK(mode_of("Step:ModeKeys.TRAIN") == "TRAIN");
  CHECK(mode_of("Step:ModeKeys.a.b") == "a.b");
  CHECK(mode_of("Step:ModeKeys") == "Step:ModeKeys");
  CHECK(mode_of("Step:ModeKeys.").empty());
  CHECK(mode_of("").empty());
}

TEST_CASE("a timeline belongs to its process, else to its node") {
  Timeline timeline;
  CHECK(process_name(timeline) == "unknown process");
  timeline.node = "algo-1";
  CHECK(process_name(timeline) == "algo-1");
  timeline.process = "algo-1-27";
  CHECK(process_name(timeline) == "algo-1-27");
}

TEST_CASE("steps out of traces are no timeline of the framework") {
  const test::Event step{
      .phase = "Step:ModeKeys.PROFILED", .duration = 1, .kind = TimelineKind::pytorch_profiler};
  CHECK_FALSE(has_timelines({}));
  CHECK_FALSE(has_timelines(test::events({step})));
  CHECK(has_timelines(test::events({step, {.phase = "Step:ModeKeys.TRAIN"}})));
}

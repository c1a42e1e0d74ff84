#include "aggregate/job_summary.h"
#include "aggregate/timeline.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_timeline {

using namespace debrief;
using test::at;
using test::series;

namespace {

result::Timeline timeline_of(job::Job& job) {
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  const auto steps = aggregate::step_series(job.events, aggregate::EventKinds{job.events});
  result::Timeline out =
      aggregate::timeline(job, aggregate::job_summary(job), steps, aggregate::node_series(job));
  out.nodes = aggregate::to_timeline(aggregate::node_series(job));
  return out;
}

} // namespace

TEST_CASE("steps are placed where their clock is known, and the span has all of it") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::gpu(0), {5, 6}, {1, 2}));
  job.events = test::events({
      {.phase = "Step:ModeKeys.TRAIN", .start = 4, .duration = 1},
      {.phase = "Step:ModeKeys.TRAIN", .start = 5, .duration = 0.25},
      {.phase = "Step:ModeKeys.EVAL", .start = 6, .duration = 3, .process = "algo-1-28"},
      {.phase = "Step:ModeKeys.TRAIN", .duration = 1, .process = "algo-9-1", .clock_known = false},
  });
  const result::Timeline found = timeline_of(job);
  REQUIRE(found.steps.size() == 2);
  CHECK(found.steps[0].process == "algo-1-27");
  CHECK(found.steps[0].mode == "TRAIN");
  REQUIRE(found.steps[0].steps.size() == 2);
  CHECK(found.steps[0].steps[1].start == at(5));
  CHECK(found.steps[0].steps[1].duration == 250'000);
  CHECK(found.steps[1].mode == "EVAL");
  CHECK(found.span == TimeSpan{at(4), at(9)});
  CHECK(found.phases.size() == 2);
}

TEST_CASE("the longest idle stretch is of samples in a row within the loop") {
  job::Job job;
  job.metrics.push_back(
      series("algo-1", test::gpu(0), {0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 9, 4.9, 9}));
  job.metrics.push_back(
      series("algo-2", test::gpu(0), {0, 1, 2, 3, 9, 10}, {5, 4.9, 4.9, 5, 4.9, 4.9}));
  const auto idle = timeline_of(job).longest_idle;
  REQUIRE(idle);
  CHECK(idle->node == "algo-1");
  CHECK(idle->span == TimeSpan{at(0), at(3)});
  job.events = test::steps({{"TRAIN", 2.5, 20}});
  const auto in_loop = timeline_of(job).longest_idle;
  REQUIRE(in_loop);
  CHECK(in_loop->node == "algo-2");
  CHECK(in_loop->span == TimeSpan{at(9), at(10)}); // a gap before it
  job.metrics.pop_back();
  CHECK_FALSE(timeline_of(job).longest_idle); // single samples are no stretch
}

TEST_CASE("a job of which nothing was sampled has an empty timeline") {
  job::Job job;
  CHECK(timeline_of(job).empty());
  job.metrics.push_back(series("algo-1", {"fan", "speed", ""}, {0}, {1}));
  CHECK(timeline_of(job).empty());
}

TEST_CASE("when traces were recorded comes after the phases, and cycles that touch are one") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::gpu(0), {0, 1, 2}, {1, 7, 30}));
  const auto add = [&](double from, double to, bool clock_known) {
    job::Trace& trace = job.traces.emplace_back();
    trace.clock_known = clock_known;
    trace.slices.emplace_back().start = to_nanoseconds(at(from));
    trace.slices.back().duration = to_nanoseconds(at(to) - at(from));
  };
  add(0.5, 1, true);
  add(0.75, 1.25, true);
  add(1.5, 1.75, true);
  add(0, 2, false);
  const result::Timeline found = timeline_of(job);
  REQUIRE(found.phases.size() == 2);
  CHECK(found.phases[0].name.kind == result::PhaseKind::profiled);
  CHECK(found.phases[0].span == TimeSpan{at(0.5), at(1.25)});
  CHECK(found.phases[1].span == TimeSpan{at(1.5), at(1.75)});
}

} // namespace test_timeline

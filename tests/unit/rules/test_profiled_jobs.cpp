// What the rules make of a job that is known by PyTorch traces: a few profiled steps, and waits for
// data in them.
#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_profiled_jobs {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

namespace {

/// Steps of a second each from minute 30 on, each with a wait for data.
job::Job profiled_job(int steps) {
  job::Job job;
  std::vector<Event> list;
  for (int i = 0; i < steps; ++i) {
    const double start = 30 * 60 + i;
    list.push_back({.phase = "Step:ModeKeys.PROFILED",
                    .name = "ProfilerStep",
                    .start = start,
                    .duration = 1,
                    .kind = job::TimelineKind::pytorch_profiler,
                    .step = i});
    list.push_back({.phase = "DataLoaderIter",
                    .name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                    .start = start,
                    .duration = 0.5,
                    .kind = job::TimelineKind::pytorch_profiler});
  }
  job.events = events(list);
  job::Trace trace;
  trace.process = "algo-1-27";
  trace.tracks = {{false, 1, 1, {}}};
  for (int i = 0; i < steps; ++i) {
    job::Slice slice;
    slice.name = trace.names.intern("ProfilerStep#" + std::to_string(i));
    slice.kind = job::SliceKind::annotation;
    slice.start = to_nanoseconds(at(30 * 60 + i));
    slice.duration = to_nanoseconds(kSecond);
    trace.slices.push_back(slice);
  }
  job.traces.push_back(std::move(trace));
  return job;
}

job::Job with_metrics(job::Job job) {
  for (int core = 0; core < 10; ++core)
    job.metrics.push_back(series("algo-1", cpu(core), {0, 3600}, {50, 50}));
  return job;
}

} // namespace

TEST_CASE("a profiled window in the middle of a job is not the end of its initialization") {
  for (const bool measured : {false, true}) {
    CAPTURE(measured);
    const job::Job job = measured ? with_metrics(profiled_job(4)) : profiled_job(4);
    const auto row = outcome(job, "MaxInitializationTime");
    CHECK(row.status == RuleStatus::not_evaluated);
    CHECK(row.triggered == 0);
    CHECK(row.reason == "only profiled steps were recorded, not the first step");
    CHECK(row.details["step_num"].empty());
  }
}

TEST_CASE("a trace without steps is not a job without steps") {
  job::Job job = with_metrics(profiled_job(4));
  job.events = {};
  job.traces[0].slices.resize(1);
  job.traces[0].slices[0].name = job.traces[0].names.intern("no step");
  const auto row = outcome(job, "MaxInitializationTime");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "PyTorch traces do not say when the first step began");
  job.traces.clear();
  CHECK(outcome(job, "MaxInitializationTime").reason ==
        "no framework data was recorded, so the start of training is unknown");
}

TEST_CASE("a few profiled steps have no outliers") {
  const auto row = outcome(profiled_job(4), "StepOutlier");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "needs more than 100 steps (found 4)");
}

TEST_CASE("waits for data that traces record do not count loaders") {
  const auto row = outcome(with_metrics(profiled_job(40)), "Dataloader");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "PyTorch traces record waits for data, not data-loader workers");
}

TEST_CASE("the framework's figures are collected from traces too") {
  const auto row = outcome(profiled_job(4), "OverallFrameworkMetrics");
  CHECK(row.status == RuleStatus::no_issue);
}

TEST_CASE("the time around profiled steps is unattributed") {
  const auto found = analyzed(with_metrics(profiled_job(4)));
  CHECK_FALSE(found.job.training_loop_start);
  REQUIRE(found.time_accounting.parts.size() == 2);
  CHECK(found.time_accounting.parts[0].part.text() == "PROFILED");
  CHECK(found.time_accounting.parts[0].seconds == 4);
  CHECK(found.time_accounting.parts[1].part.text() == "unattributed");
  REQUIRE(found.steps.size() == 1);
  CHECK(found.steps[0].source == result::kFromTraces);
  CHECK(found.data_loading.source == result::kFromTraces);
  CHECK(found.framework.phase.empty());
}

TEST_CASE("SageMaker's own outcomes and figures of the whole job go before a few profiled steps") {
  job::Job job = profiled_job(4);
  job::RuleOutput output;
  output.rule = "StepOutlier";
  output.datapoints = 500;
  output.set_details(nlohmann::json::parse(
      R"({"step_details": {"algo-1-27": {"step_stats": {"mean": 1, "max": 2, "p99": 2, "p95": 2,
          "p50": 1, "min": 1}, "number_of_outliers": 0, "phase": "Step:ModeKeys.TRAIN"}}})"));
  job.rule_outputs.push_back(output);
  const auto found = analyzed(job);
  REQUIRE(found.steps.size() == 1);
  CHECK(found.steps[0].mode == "TRAIN");
  CHECK(found.steps[0].source == result::kFromRuleOutputs);
  CHECK(row_of(found.rules, "StepOutlier").recorded_by_sagemaker);
  CHECK(found.data_loading.source == result::kFromTraces); // of which SageMaker's files have none
}

} // namespace test_profiled_jobs

#include "gate/demands.h"
#include "gate/message.h"
#include "result/from_document.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace test_baseline {

using namespace debrief;
using namespace debrief::gate;
using nlohmann::json;
using result::AssertionStatus;

namespace {

/// A document with a GPU and TRAIN steps, `factor` times as long as 0.1 s, that vary by 1 %.
json document(double gpu, double factor, bool with_blocks = true) {
  json blocks = json::array();
  if (with_blocks)
    for (const double value : {0.099, 0.1, 0.101, 0.1, 0.099, 0.101})
      blocks.push_back(value * factor);
  return {{"schema", result::kSchema},
          {"job", {{"name", "before"}}},
          {"system_usage",
           json::array({{{"node", "algo-1"}, {"metric", "GPU"}, {"p50", gpu}, {"p95", 99.0}}})},
          {"steps", json::array({{{"process", "p"},
                                  {"mode", "TRAIN"},
                                  {"p50", 0.1 * factor},
                                  {"p95", 0.2 * factor},
                                  {"block_medians", blocks}}})}};
}

std::vector<result::Assertion> outcome(const json& before, const json& after,
                                       const Tolerances& tolerances = {}) {
  return compare_with_baseline(test::from_document(before), test::from_document(after), tolerances);
}

result::Assertion named(const std::vector<result::Assertion>& assertions, const std::string& name) {
  for (const result::Assertion& assertion : assertions)
    if (assertion.name == name) return assertion;
  FAIL("no assertion on " << name);
  return {};
}

/// A job of 100 steps of `step` s, of which one was profiled that took `profiled` s; the GPU worked
/// for `busy` s of that.
result::Result profiled_job(double step, double profiled, double busy) {
  result::Result result = test::from_document(document(90, step / 0.1));
  result.job.span = TimeSpan{0, 200'000'000};
  result.job.training_loop_start = 0;
  result.job.training_loop_end = static_cast<Microseconds>(100 * step * 1e6);
  result.steps.front().count = 100;
  result::Traces& traces = result.traces;
  traces.files.emplace_back();
  traces.files.back().step_source = result::StepSource::profiler_step;
  traces.processes.emplace_back();
  traces.processes.back().steps = 1;
  traces.processes.back().us = profiled * 1e6;
  traces.gpus.emplace_back();
  traces.gpus.back().profiled_us = profiled * 1e6;
  traces.gpus.back().busy_us = busy * 1e6;
  return result;
}

bool has_trace_share(const std::vector<result::Assertion>& assertions) {
  return std::any_of(assertions.begin(), assertions.end(), [](const auto& assertion) {
    return assertion.name == "traces.gpu_busy_percent";
  });
}

} // namespace

TEST_CASE("what a profiler took of its steps is not the job's") {
  // Syncs were removed: steps got faster, and profiled ones spend their time in the profiler.
  const result::Result before = profiled_job(0.1, 0.11, 0.08);
  const auto distorted = compare_with_baseline(before, profiled_job(0.05, 0.13, 0.03), {});
  CHECK_FALSE(has_trace_share(distorted));
  CHECK(named(distorted, "job.seconds_per_step").status == AssertionStatus::passed);
  for (const result::Assertion& assertion : distorted)
    CHECK(assertion.status == AssertionStatus::passed);
  const auto honest = compare_with_baseline(before, profiled_job(0.1, 0.14, 0.03), {});
  CHECK(named(honest, "traces.gpu_busy_percent").status == AssertionStatus::failed);
}

TEST_CASE("a baseline that knows profiled steps alone is not passed by a job that lacks them") {
  result::Result before = profiled_job(0.1, 0.11, 0.08);
  before.steps.clear();
  CHECK(named(compare_with_baseline(before, profiled_job(0.05, 0.13, 0.03), {}),
              "traces.gpu_busy_percent")
            .status == AssertionStatus::failed);
}

TEST_CASE("a job is no worse than itself") {
  const auto assertions = outcome(document(90, 1), document(90, 1));
  REQUIRE(assertions.size() == 2); // gpu.p50 and steps.train.p50: p95 is not asked for
  for (const result::Assertion& assertion : assertions)
    CHECK(assertion.status == AssertionStatus::passed);
  CHECK(baseline_name(test::from_document(document(90, 1))) == "before");
}

TEST_CASE("a figure that is worse by more than tolerance and noise fails") {
  const auto assertions = outcome(document(90, 1), document(85, 1.2));
  const result::Assertion step = named(assertions, "steps.train.p50");
  CHECK(step.kind == "baseline");
  CHECK(step.status == AssertionStatus::failed);
  CHECK(step.expected == "at most 105 ms (baseline 100 ms, tolerance 5%)");
  CHECK(step.found == "120 ms (+20.0%)");
  CHECK(step.message == "TRAIN step, median: worse, more than noise (p < 0.0001).");
  const result::Assertion gpu = named(assertions, "gpu.p50");
  CHECK(gpu.status == AssertionStatus::failed); // 85 is less than 85.5
  CHECK(gpu.expected == "at least 85.5% (baseline 90%, tolerance 5%)");
  CHECK(named(outcome(document(90, 1), document(85.6, 1)), "gpu.p50").status ==
        AssertionStatus::passed);
}

TEST_CASE("a figure that improved passes") {
  for (const result::Assertion& assertion : outcome(document(50, 1), document(90, 0.5)))
    CHECK(assertion.status == AssertionStatus::passed);
}

TEST_CASE("a gate does not pass if no step time can be judged") {
  for (const bool first : {true, false}) {
    const json before = document(90, 1, first);
    CHECK(test::message_of([&] { outcome(before, document(90, 1.2, !first)); }) ==
          "baseline: steps.train.p50 is 120 ms (+20.0%), but there are too few steps to rule out "
          "noise; record at least 5 steps of each job, or allow more with --tolerance");
    CHECK(named(outcome(before, document(90, 1.04, !first)), "steps.train.p50").status ==
          AssertionStatus::passed); // within the tolerance, noise or not
  }
}

TEST_CASE("steps of a mode that cannot be judged are no pass beside one that can") {
  const auto with_eval = [](json document) {
    json few = document["steps"][0];
    few["mode"] = "EVAL";
    few["block_medians"] = json::array();
    document["steps"].push_back(few);
    return document;
  };
  const auto assertions = outcome(with_eval(document(90, 1)), with_eval(document(90, 1.2)));
  CHECK(named(assertions, "steps.train.p50").status == AssertionStatus::failed);
  CHECK(named(assertions, "steps.eval.p50").status == AssertionStatus::failed);
  CHECK(named(assertions, "steps.eval.p50").message ==
        "EVAL step, median: cannot be compared, too few steps to rule out noise. That is not a "
        "pass: record at least 5 steps of each job, or allow more with --tolerance.");
}

TEST_CASE("a figure with a tolerance of its own is compared too") {
  Tolerances tolerances;
  tolerances.set("steps.train.p95=1ms", "");
  const auto assertions = outcome(document(90, 1), document(90, 1.01), tolerances);
  CHECK(named(assertions, "steps.train.p95").status == AssertionStatus::failed);
  CHECK(named(assertions, "steps.train.p95").expected ==
        "at most 201 ms (baseline 200 ms, tolerance 1 ms)");
  CHECK(named(assertions, "steps.train.p50").status == AssertionStatus::passed);
}

TEST_CASE("a figure that the job lost fails, one that it won does not matter") {
  json without = document(90, 1);
  without["steps"] = json::array();
  const result::Assertion lost = named(outcome(document(90, 1), without), "steps.train.p50");
  CHECK(lost.status == AssertionStatus::failed);
  CHECK(lost.found == "no such metric");
  CHECK(outcome(without, document(90, 1)).size() == 1);
}

TEST_CASE("a baseline without figures is an error") {
  const json empty = {{"schema", result::kSchema}, {"job", {{"name", "x"}}}};
  CHECK(test::message_of([&] { outcome(empty, document(90, 1)); }) ==
        "baseline: x has none of the compared metrics, so there is nothing to compare; docs/ci.md "
        "lists them");
  Tolerances tolerances;
  tolerances.set("steps.eval.p50=3%", "");
  CHECK(test::message_of([&] { outcome(document(90, 1), document(90, 1), tolerances); }) ==
        "tolerance for steps.eval.p50: the baseline has no such metric; remove the tolerance, or "
        "use a baseline that has it");
}

TEST_CASE("what is compared is the worst of all, of what says how good a job was") {
  CHECK(is_compared_by_default("steps.predict.mean"));
  CHECK(is_compared_by_default("waste.lost_percent"));
  CHECK_FALSE(is_compared_by_default("steps.train.count"));
  CHECK_FALSE(is_compared_by_default("steps.train[p].p50"));
  CHECK_FALSE(is_compared_by_default("job.duration"));
}

} // namespace test_baseline

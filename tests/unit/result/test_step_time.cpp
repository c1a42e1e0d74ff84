#include "result/step_time.h"

#include <catch2/catch_test_macros.hpp>

namespace test_step_time {

using namespace debrief;

namespace {

result::StepRow row(const char* process, std::string_view mode, std::int64_t count) {
  result::StepRow out;
  out.process = process;
  out.mode = mode;
  out.count = count;
  return out;
}

} // namespace

TEST_CASE("a step takes its share of the loop of the process that made the most") {
  result::Result result;
  result.job.span = TimeSpan{0, 200'000'000};
  result.job.training_loop_start = 50'000'000;
  result.job.training_loop_end = 150'000'000;
  result.steps = {row("a", result::kTrainMode, 30), row("a", result::kEvalMode, 10),
                  row("b", result::kTrainMode, 50), row("b", result::kProfiledMode, 500)};
  CHECK(result::seconds_per_step(result) ==
        2); // 100 s, 50 steps: what was profiled is part of them
}

TEST_CASE("without steps of the loop, or without a loop, the time of a step is not known") {
  result::Result result;
  result.steps = {row("a", result::kTrainMode, 30)};
  CHECK_FALSE(result::seconds_per_step(result));
  result.job.training_loop_start = 0;
  result.job.training_loop_end = 100'000'000;
  result.steps = {row("a", result::kProfiledMode, 30)};
  CHECK_FALSE(result::seconds_per_step(result));
}

TEST_CASE("profiled steps are compared with the job's own") {
  result::Result result;
  result.job.span = TimeSpan{0, 100'000'000};
  result.job.training_loop_start = 0;
  result.job.training_loop_end = 100'000'000;
  result.steps = {row("a", result::kTrainMode, 50)}; // of 2 s
  result.traces.files.emplace_back();
  result.traces.files.back().step_source = result::StepSource::profiler_step;
  result.traces.processes.emplace_back();
  result.traces.processes.back().steps = 4;
  result.traces.processes.back().us = 4 * 2.9e6;
  result.traces.performance.utilization = 10;
  CHECK(result::profiling_slowdown(result) == 1.45);
  CHECK_FALSE(result::is_profile_distorted(result));
  CHECK(result::flops_utilization(result) == 10);
  result.traces.processes.back().us = 4 * 5e6;
  CHECK(result::is_profile_distorted(result));
  CHECK(result::flops_utilization(result) == 25); // as much in 2 s as the profiled steps did in 5
  result.traces.files.back().step_source = result::StepSource::graph_launch;
  CHECK_FALSE(result::profiling_slowdown(result)); // not the job's steps
  result.steps.clear();
  CHECK_FALSE(result::profiling_slowdown(result));
}

} // namespace test_step_time

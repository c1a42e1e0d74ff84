#include "findings/trace_evidence.h"

#include <catch2/catch_test_macros.hpp>

namespace test_trace_evidence {

using namespace debrief;

namespace {

/// 100 µs of profiled steps.
result::Traces traced(double runtime, double operators, double other) {
  result::Traces traces;
  traces.files.emplace_back();
  traces.files.back().step_source = result::StepSource::profiler_step;
  traces.steps.resize(3);
  traces.processes.emplace_back();
  traces.processes.back().us = 100;
  traces.processes.back().parts = {
      {"runtime", runtime, 0}, {"CPU operators", operators, 0}, {"other", other, 0}};
  return traces;
}

} // namespace

TEST_CASE("a GPU is launch-bound where launches are late for most of what nothing else explains") {
  result::Traces traces = traced(10, 20, 0);
  traces.launches.emplace_back();
  result::GpuActivity& gpu = traces.gpus.emplace_back();
  gpu.idle_us = 100;
  gpu.host_wait_us = 90;
  CHECK(findings::is_launch_bound(traces));
  gpu.outside_wait_us = 85; // of the other 15 µs, 5 are late
  CHECK_FALSE(findings::is_launch_bound(traces));
  gpu.outside_wait_us = 70;
  CHECK(findings::is_launch_bound(traces));
  traces.setup = {{"rank 0", "cuModuleLoadData", "", "", 1, 60}};
  CHECK_FALSE(findings::is_launch_bound(traces)); // it shows no training
  CHECK_FALSE(findings::is_launch_bound(result::Traces{}));
}

TEST_CASE("a trace of few steps is of set-up where that takes half of it") {
  result::Traces traces = traced(60, 20, 10);
  traces.setup = {{"rank 0", "cuModuleLoadData", "", "", 1, 50}};
  CHECK(findings::shows_setup(traces));
  traces.setup.front().us = 49;
  CHECK_FALSE(findings::shows_setup(traces));
  traces.setup.front().us = 500; // threads do so side by side
  CHECK(findings::setup_time(traces).setup == findings::setup_time(traces).profiled);
  traces.steps.resize(4);
  CHECK_FALSE(findings::shows_setup(traces));
}

TEST_CASE("next to nothing is less than a millisecond of work without marked steps") {
  result::Traces traces = traced(1, 1, 1);
  traces.gpus.emplace_back();
  traces.gpus.back().busy_us = 999;
  CHECK_FALSE(findings::shows_next_to_nothing(traces)); // its steps are marked
  traces.files.back().step_source = result::StepSource::none;
  CHECK(findings::shows_next_to_nothing(traces));
  traces.gpus.back().busy_us = 1000;
  CHECK_FALSE(findings::shows_next_to_nothing(traces));
}

} // namespace test_trace_evidence

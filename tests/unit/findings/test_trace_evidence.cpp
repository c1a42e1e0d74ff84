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

TEST_CASE("code outside PyTorch is what the GPU waits for where it takes more than launching") {
  CHECK(findings::code_outside_pytorch(traced(10, 20, 31)) == 0.31);
  CHECK_FALSE(findings::code_outside_pytorch(traced(10, 20, 30)));
  CHECK_FALSE(findings::code_outside_pytorch(traced(0, 0, 90))); // the host was not recorded
  CHECK_FALSE(findings::code_outside_pytorch(result::Traces{}));
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

#include "aggregate/trace/setup_calls.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_setup_calls {

using namespace debrief;
using Kind = job::SliceKind;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000; // nanoseconds

std::vector<std::string> names(test::TraceMaker& make) {
  const std::vector<job::Trace> traces = test::list_of(make.make());
  std::vector<std::string> out;
  for (const result::SyncRow& row :
       aggregate::setup_rows(std::vector<aggregate::TraceIndex>(traces.begin(), traces.end())))
    out.push_back(row.call);
  return out;
}

/// A launch that takes `length`, and a kernel that starts `delay` after it.
std::vector<std::string> launch(std::int64_t length, std::int64_t delay) {
  test::TraceMaker make;
  make.step(0, 0, 100 * kMillisecond);
  make.cpu(Kind::runtime, "hipLaunchKernel", 0, length).correlation = 1;
  make.gpu(Kind::kernel, "a", length + delay, length + delay + 10).correlation = 1;
  return names(make);
}

/// An operator that launches a kernel of `work` and, if `waits`, synchronizes.
std::vector<std::string> op(const char* name, std::int64_t length, std::int64_t work, bool waits) {
  test::TraceMaker make;
  make.step(0, 0, 1000 * kMillisecond);
  make.cpu(Kind::op, name, 0, length);
  make.cpu(Kind::runtime, "cudaLaunchKernel", 10, 20).correlation = 1;
  make.gpu(Kind::kernel, "a", 30, 30 + work).correlation = 1;
  if (waits) make.cpu(Kind::runtime, "cudaEventSynchronize", 100, length - 100);
  return names(make);
}

} // namespace

TEST_CASE("calls that load, compile or capture are set-up by their name") {
  test::TraceMaker make;
  make.step(0, 0, 1000);
  make.cpu(Kind::runtime, "cuLibraryLoadData", 10, 100);
  make.cpu(Kind::runtime, "cudaStreamBeginCapture", 110, 120);
  make.cpu(Kind::annotation, "entire_frame_compile (dynamo_timed)", 200, 900);
  make.cpu(Kind::runtime, "cudaGraphLaunch", 950, 960);
  CHECK(names(make) == std::vector<std::string>{"entire_frame_compile (dynamo_timed)",
                                                "cuLibraryLoadData", "cudaStreamBeginCapture"});
}

TEST_CASE("a long launch on an empty queue loads code, one on a full queue waits") {
  CHECK(launch(kMillisecond, 5000) == std::vector<std::string>{"hipLaunchKernel"});
  CHECK(launch(kMillisecond - 1, 5000).empty());
  CHECK(launch(kMillisecond, 200'000).empty());
}

TEST_CASE("an operator that takes long and launches next to nothing is set-up") {
  CHECK(op("aten::mm", 100 * kMillisecond, kMillisecond, false) ==
        std::vector<std::string>{"aten::mm"});
  CHECK(op("aten::mm", 100 * kMillisecond - 1, kMillisecond, false).empty());
  CHECK(op("aten::mm", 100 * kMillisecond, 11 * kMillisecond, false).empty());
  CHECK(op("aten::mm", 100 * kMillisecond, kMillisecond, true).empty()); // it waited for the GPU
  CHECK(op("aten::cudnn_convolution", 100 * kMillisecond, kMillisecond, true) ==
        std::vector<std::string>{"aten::cudnn_convolution"});
}

} // namespace test_setup_calls

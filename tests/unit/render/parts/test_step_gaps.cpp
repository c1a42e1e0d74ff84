#include "render/parts/step_gaps.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_step_gaps {

using namespace debrief;
using result::StepSlice;
using result::StepView;

namespace {

constexpr std::int32_t kOperator = 0;
constexpr std::int32_t kAnnotation = 1;
constexpr std::int32_t kRuntime = 3;
constexpr std::int32_t kKernel = 5;

/// A step of 1 ms: the GPU works from 100 to 400 µs on two streams, and from 900 µs on.
StepView example() {
  StepView view;
  view.us = view.shown_us = 1000;
  view.names = {"ProfilerStep#1", "aten::item", "cudaStreamSynchronize", "gemm", "of another"};
  view.tracks = {{"thread 1", false, 3},
                 {"GPU 0 stream 7", true, 1},
                 {"GPU 0 stream 8", true, 1},
                 {"rank 1: GPU", true, 1, "rank 1"}};
  const auto add = [&](std::int64_t from, std::int64_t to, std::int32_t name, std::int32_t track,
                       std::int32_t depth, std::int32_t kind) {
    view.slices.push_back({1000 * from, 1000 * (to - from), name, track, depth, -1, kind, false});
  };
  add(0, 1000, 0, 0, 0, kAnnotation);
  add(410, 880, 1, 0, 1, kOperator);
  add(420, 870, 2, 0, 2, kRuntime);
  add(100, 300, 3, 1, 0, kKernel);
  add(305, 400, 3, 1, 0, kKernel); // 5 µs after the other: no gap to speak of
  add(900, 1000, 3, 1, 0, kKernel);
  add(250, 350, 3, 2, 0, kKernel);
  add(400, 900, 4, 3, 0, kKernel);
  return view;
}

std::string text_of(const StepView& view) {
  std::string out;
  for (const render::StepGap& gap : render::gpu_gaps(view))
    out += fmt::format("{}..{} {}; ", gap.from_ns / 1000, gap.to_ns / 1000, gap.meanwhile);
  return out;
}

} // namespace

TEST_CASE("gaps are where no stream of the process works, with what the CPU did meanwhile") {
  CHECK(text_of(example()) ==
        "0..100 Python outside operators; 400..900 aten::item, in cudaStreamSynchronize; ");
}

TEST_CASE("a step without GPU work has no gaps") {
  StepView view = example();
  std::erase_if(view.slices, [](const StepSlice& slice) { return slice.kind == kKernel; });
  CHECK(text_of(view).empty());
}

} // namespace test_step_gaps

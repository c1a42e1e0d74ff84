#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_activity_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("GPU activity says how busy the GPU is, why it is idle and what blocks the host") {
  const auto view = view_of(render::kGpuActivitySection, test::full_traces());
  CHECK(take_away(view) ==
        "The GPU is busy 72.0% of the 1 ms profiled. Of the time, 7.0% went to copies between CPU "
        "and "
        "GPU alone, and 2.0% to copies that other work overlapped. Most idle time (20.0% of the "
        "profiled time) "
        "is waiting on launch: the CPU had not launched the next kernel yet. 1 of 6 kernels run "
        "for less time than they take to launch (16.7%). Blocking syncs take 60 µs (6.0% of the "
        "time), most of it in cudaStreamSynchronize of aten::item: 60 µs in 2 calls.");
  CHECK(cell(view, "GPU activity", 0, "Communication") == "10.00");
  CHECK(cell(view, "GPU activity", 0, "Between kernels") == "0.50");
  CHECK(cell(view, "GPU activity", 0, "SM efficiency") == "40.50");
  CHECK(cell(view, "Memory copies and memsets", 0, "Bytes") == "1.80 MB");
  CHECK(cell(view, "Memory copies and memsets", 0, "GB/s") == "20.00");
  CHECK(cell(view, "Kernel launches", 0, "Delay max") == "95.5 µs");
  CHECK(cell(view, "Kernel launches", 0, "Unmatched kernels") == "1");
  CHECK(cell(view, "Blocking syncs", 0, "Inside") == "train_step");
}

TEST_CASE("the parts of a GPU's bar sum to its profiled time") {
  const auto view = view_of(render::kGpuActivitySection, test::full_traces());
  const auto legend = blocks(view, "chart")[0]["legend"];
  const char* expected[] = {"kernels: 54.0% (540 µs)",
                            "communication and memory: 11.0% (110 µs)",
                            "copies alone: 7.0% (70 µs)",
                            "idle, waiting on launch: 20.0% (200 µs)",
                            "idle, between kernels: 0.5% (5 µs)",
                            "idle, other: 7.5% (75 µs)"};
  REQUIRE(legend.size() == std::size(expected));
  for (std::size_t at = 0; at < legend.size(); ++at)
    CHECK(legend[at]["words"] == expected[at]);
}

TEST_CASE("several GPUs are told apart") {
  const auto view = view_of(render::kGpuActivitySection, example_traces());
  CHECK_THAT(take_away(view), StartsWith("2 GPUs are busy 60.0% (algo-1-1, GPU 0) to 72.0% "
                                         "(algo-1-0, GPU 0) of the time."));
  CHECK_THAT(blocks(view, "chart")[0]["svg"].get<std::string>(),
             ContainsSubstring("algo-1-1, GPU 0"));
}

TEST_CASE("the greatest reason of idle time is named") {
  result::Traces traces = test::full_traces();
  traces.gpus[0].host_wait_us = 5;
  traces.gpus[0].kernel_wait_us = 200;
  CHECK_THAT(take_away(view_of(render::kGpuActivitySection, traces)),
             ContainsSubstring("normal gap"));
  traces.gpus[0].other_wait_us = 201;
  CHECK_THAT(take_away(view_of(render::kGpuActivitySection, traces)),
             ContainsSubstring("could not start"));
}

TEST_CASE("what a GPU's trace lacks is left out") {
  result::Traces traces = test::full_traces();
  traces.copies.clear();
  traces.launches.clear();
  traces.syncs.clear();
  traces.blocking_copies.clear();
  traces.gpus[0].sm_efficiency.reset();
  traces.gpus[0].gpu.clear();
  const auto view = view_of(render::kGpuActivitySection, traces);
  CHECK(blocks(view, "table").size() == 1);
  CHECK(cell(view, "GPU activity", 0, "SM efficiency") == "no such cell");
  CHECK(cell(view, "GPU activity", 0, "Model") == "no such cell");
  traces.gpus.clear();
  CHECK_THAT(only_note(view_of(render::kGpuActivitySection, traces)),
             ContainsSubstring("ProfilerActivity.CUDA"));
  CHECK(view_of(render::kGpuActivitySection, result::Result{}).is_null());
}

} // namespace test_activity_view

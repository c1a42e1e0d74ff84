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
        "The GPU is busy 72.0% of the 1 ms that were profiled. Most idle time (20.0% of the "
        "profiled time) is a wait for the host, which launches work late. 1 of 6 kernels last less "
        "than the call that launches them (16.7%). The host waits 60 µs for GPUs (6.0% of the "
        "time), most in cudaStreamSynchronize of aten::item: 60 µs in 2 calls.");
  CHECK(cell(view, "GPUs while", 0, "Communication") == "10.00");
  CHECK(cell(view, "GPUs while", 0, "Between kernels") == "0.50");
  CHECK(cell(view, "GPUs while", 0, "SM efficiency") == "40.50");
  CHECK(cell(view, "Copies", 0, "Bytes") == "1.80 MB");
  CHECK(cell(view, "Copies", 0, "GB/s") == "20.00");
  CHECK(cell(view, "How kernels are launched", 0, "Delay max") == "95.5 µs");
  CHECK(cell(view, "How kernels are launched", 0, "Without a launch") == "1");
  CHECK(cell(view, "Time in which the host", 0, "Inside") == "train_step");
}

TEST_CASE("the parts of a GPU's bar sum to its profiled time") {
  const auto view = view_of(render::kGpuActivitySection, test::full_traces());
  const auto legend = blocks(view, "chart")[0]["legend"];
  const char* expected[] = {"kernels: 54.0% (540 µs)",
                            "communication or memory alone: 18.0% (180 µs)",
                            "idle: host late: 20.0% (200 µs)", "idle: between kernels: 0.5% (5 µs)",
                            "idle: other: 7.5% (75 µs)"};
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
             ContainsSubstring("usual pause"));
  traces.gpus[0].other_wait_us = 201;
  CHECK_THAT(take_away(view_of(render::kGpuActivitySection, traces)),
             ContainsSubstring("could not start"));
}

TEST_CASE("what a GPU's trace lacks is left out") {
  result::Traces traces = test::full_traces();
  traces.copies.clear();
  traces.launches.clear();
  traces.syncs.clear();
  traces.gpus[0].sm_efficiency.reset();
  traces.gpus[0].gpu.clear();
  const auto view = view_of(render::kGpuActivitySection, traces);
  CHECK(blocks(view, "table").size() == 1);
  CHECK(cell(view, "GPUs while", 0, "SM efficiency") == "no such cell");
  CHECK(cell(view, "GPUs while", 0, "Model") == "no such cell");
  traces.gpus.clear();
  CHECK_THAT(only_note(view_of(render::kGpuActivitySection, traces)),
             ContainsSubstring("ProfilerActivity.CUDA"));
  CHECK(view_of(render::kGpuActivitySection, result::Result{}).is_null());
}

} // namespace test_activity_view

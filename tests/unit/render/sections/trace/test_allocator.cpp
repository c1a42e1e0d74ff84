#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_allocator_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("the allocator's peak, who holds it, and how it grows") {
  result::Traces traces = test::full_traces();
  traces.memory[0].capacity = 10'000'000;
  const auto view = view_of(render::kAllocatorSection, traces);
  CHECK(take_away(view) ==
        "algo-1-0, GPU 0 peaks at 5.00 MB, 50.0% of its 10.0 MB, with 8.00 MB reserved. The "
        "largest part, 3.00 MB, was allocated by aten::empty in aten::linear; 1.00 MB was there "
        "before the trace began. Memory grows by 1.02 kB per step.");
  CHECK(cell(view, "Memory peaks", 0, "Peak after") == "400 µs");
  CHECK(cell(view, "Memory peaks", 0, "Growth per step") == "1.02 kB");
  CHECK(cell(view, "Allocated at", 1, "Allocated by") == "code outside operators");
  CHECK(cell(view, "Allocated at", 2, "Allocated by") == "before the trace began");
  CHECK(blocks(view, "table")[1]["rows"].size() == 3); // they sum to the peak: no others
  const auto figure = blocks(view, "chart")[0];
  CHECK(figure["legend"].size() == 2);
  CHECK_THAT(figure["svg"].get<std::string>(), ContainsSubstring("1 ms"));
}

TEST_CASE("holders that are not listed are named as others") {
  result::Traces traces = test::full_traces();
  traces.memory[0].holders.resize(1);
  const auto view = view_of(render::kAllocatorSection, traces);
  CHECK(cell(view, "Allocated at", 2, "Allocated by") == "others");
  CHECK(cell(view, "Allocated at", 2, "Bytes") == "1.00 MB");
}

TEST_CASE("GPUs come before the host's memory, and what is not known is left out") {
  result::Traces traces = test::full_traces();
  result::DeviceMemory cpu;
  cpu.process = "algo-1-0";
  cpu.device = "CPU";
  cpu.peak_allocated = 9'000'000;
  cpu.growth_per_step = -2048;
  traces.memory.insert(traces.memory.begin(), cpu);
  auto view = view_of(render::kAllocatorSection, traces);
  CHECK_THAT(take_away(view), StartsWith("algo-1-0, GPU 0"));
  CHECK(cell(view, "Memory peaks", 0, "Peak reserved") == "–"); // in the result's order
  CHECK(cell(view, "Memory peaks", 0, "Growth per step") == "-2.05 kB");
  CHECK(blocks(view, "chart").size() == 2); // nothing is to be drawn of the other
  CHECK(blocks(view, "chart")[1]["caption"] == "Memory by category of algo-1-0, GPU 0 (estimated)");
  CHECK(blocks(view, "chart")[1]["legend"][2]["words"] == "activations: up to 3.00 MB");
  traces.memory.resize(1);
  view = view_of(render::kAllocatorSection, traces);
  CHECK(take_away(view) == "algo-1-0, CPU peaks at 9.00 MB. Memory shrinks by 2.05 kB per step.");
  CHECK(cell(view, "Memory peaks", 0, "Capacity") == "no such cell");
}

TEST_CASE("memory that does not grow, and a device that holds next to nothing") {
  result::Traces traces = test::full_traces();
  traces.memory[0].growth_per_step = 0;
  result::DeviceMemory cpu = traces.memory[0];
  cpu.device = "CPU";
  cpu.peak_allocated = 8;
  traces.memory.push_back(cpu);
  const auto view = view_of(render::kAllocatorSection, traces);
  CHECK_THAT(take_away(view), ContainsSubstring(" Memory does not grow from step to step."));
  CHECK(blocks(view, "chart").size() == 2);
  CHECK(cell(view, "Memory peaks", 1, "Peak allocated") == "8 B");
}

TEST_CASE("traces without memory events say how to record them") {
  result::Traces traces = test::full_traces();
  traces.memory.clear();
  CHECK_THAT(only_note(view_of(render::kAllocatorSection, traces)),
             ContainsSubstring("profile_memory=True"));
  CHECK(view_of(render::kAllocatorSection, result::Result{}).is_null());
}

} // namespace test_allocator_view

#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_operators {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// A job of traces alone, whose operators feed the framework's tables too.
result::Result traced() {
  result::Result result = example_result();
  result.traces = test::full_traces();
  result.framework.operator_source = result::kFromTraces;
  return result;
}

} // namespace

TEST_CASE("operators of traces have host and GPU time") {
  const auto view = view_of(render::kCpuOperatorsSection, traced());
  CHECK(take_away(view) ==
        "aten::mm takes the most GPU time: 400 µs self (100.0% of GPU self time) in 4 calls. "
        "aten::mm takes the most CPU time: 100 µs self (55.6% of CPU self time) in 4 calls.");
  CHECK(cell(view, "Operators by name", 0, "On tensor cores (%)") == "75.00");
  CHECK(cell(view, "Operators by name", 1, "On tensor cores (%)") == "–");
  CHECK(cell(view, "Operators by name", 1, "CPU total") == "180 µs");
  CHECK(cell(view, "Operators by name", 1, "GPU self") == "0 s");
  CHECK(cell(view, "Operators by name and shapes", 0, "Input shapes") == "[8, 16] [16, 4]");
  const auto tables = blocks(view, "table");
  REQUIRE(tables.size() == 2); // the framework's table would say less of the same
  CHECK(tables[1]["summary"] == "By name and input shapes: 2 rows");
  CHECK(tables[0]["caption"] == "Operators by name");
}

TEST_CASE("where a job has both sources, traces are what is shown") {
  result::Result result = traced();
  result.framework.operator_source = result::kFromTimelines;
  const auto cpu = view_of(render::kCpuOperatorsSection, result);
  CHECK(blocks(cpu, "table")[0]["caption"] == "Operators by name (PyTorch traces)");
  CHECK(blocks(cpu, "table").size() == 2); // by name, and by name and shapes
  CHECK_THAT(take_away(cpu), !ContainsSubstring("framework timelines"));
  const auto gpu = view_of(render::kGpuOperatorsSection, result);
  CHECK(blocks(gpu, "table")[0]["caption"] == "Kernels, most time first (PyTorch traces)");
}

TEST_CASE("operators without GPU or shapes are told by the host's time") {
  result::Result result = traced();
  auto& operators = result.traces.operators;
  operators.by_shapes.clear();
  operators.device_self_us = 0;
  for (auto& row : operators.by_name)
    row.device_self_us = row.device_total_us = row.tensor_core_us = 0;
  operators.names = 350;
  const auto view = view_of(render::kCpuOperatorsSection, result);
  CHECK_THAT(take_away(view), StartsWith("aten::mm takes the most CPU time: 100 µs"));
  CHECK(cell(view, "Operators by name", 0, "GPU self") == "no such cell");
  CHECK(cell(view, "Operators by name", 0, "On tensor cores (%)") == "no such cell");
  CHECK(has_note(view, "record_shapes=True"));
  CHECK(has_note(view, "The table lists 2 of"));
}

TEST_CASE("kernels are drawn and listed, with their whole names within reach") {
  const auto view = view_of(render::kGpuOperatorsSection, traced());
  CHECK(take_away(view) == "gemm takes the most time: 400 µs, 80.0% of kernel time (2 kernels, 6 "
                           "calls), launched by aten::mm. Operators that can use tensor cores "
                           "take 100.0% of GPU time; kernels that do use them take 75.0%.");
  CHECK(cell(view, "Kernels", 0, "Grid") == "64 × 1 × 1 (1 of 2)");
  CHECK(cell(view, "Kernels", 1, "Grid") == "8 × 1 × 1");
  CHECK(cell(view, "Kernels", 0, "Blocks per SM") == "0.50");
  CHECK(cell(view, "Kernels", 0, "Precision") == "bf16, tensor cores");
  CHECK(cell(view, "Kernels", 1, "Precision") == "fp32");
  CHECK(cell(view, "Kernels", 1, "GPU/stream") == "0/20");
  CHECK(blocks(view, "table")[0]["rows"][0][0]["title"] == "void gemm<__nv_bfloat16>(int)");
  CHECK(cell(view, "Full kernel names", 0, "Full name") == "void gemm<__nv_bfloat16>(int)");
  CHECK(blocks(view, "table")[1]["summary"] == "Full names of 2 kernels");
  CHECK(blocks(view, "chart").size() == 1); // all is of one precision
  result::Result mixed = traced();
  mixed.traces.kernels.precision = {{"bf16", 4, 400, 80}, {"fp32", 2, 100, 20}};
  const auto figures = blocks(view_of(render::kGpuOperatorsSection, mixed), "chart");
  REQUIRE(figures.size() == 2);
  CHECK(figures[0]["legend"].size() == 2); // one communicates
  CHECK_THAT(figures[0]["svg"].get<std::string>(), ContainsSubstring("80.0%, 4 calls"));
  CHECK(figures[1]["legend"][0]["words"] == "bf16: 80.0% (400 µs in 4 calls)");
}

TEST_CASE("of many kernels fifteen are drawn, and what is unknown of them has no column") {
  result::Result result = traced();
  auto& kernels = result.traces.kernels;
  result::KernelRow row;
  row.name = row.short_name = "k";
  row.calls = 1;
  row.percent = 5;
  kernels.rows.assign(20, row);
  kernels.names = 400;
  kernels.precision = {{"unknown", 20, 90, 90}, {"fp32", 1, 10, 10}};
  const auto view = view_of(render::kGpuOperatorsSection, result);
  CHECK(blocks(view, "chart")[0]["caption"] == "Kernel time by kernel, top 15 of 400");
  CHECK(blocks(view, "chart")[0]["legend"].empty());
  CHECK_THAT(blocks(view, "chart")[1]["legend"][0]["words"].get<std::string>(),
             StartsWith("unknown"));
  CHECK(has_note(view, "The table lists 20 of"));
  CHECK(blocks(view, "table").size() == 1); // no name is longer than its short form
  for (const char* head : {"Launched by", "Grid", "Block", "Occupancy (%)", "GPU/stream"})
    CHECK(cell(view, "Kernels", 0, head) == "no such cell");
}

} // namespace test_operators

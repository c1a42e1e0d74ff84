#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_graph_work {

using namespace debrief;
using test::TraceMaker;

namespace {

constexpr auto kRuntime = job::SliceKind::runtime;

/// A capture of a product, a copy and, outside of any operator, a kernel.
void capture(TraceMaker& maker, int start, const char* first = "aten::mm") {
  maker.cpu(kRuntime, "cudaStreamBeginCapture", start, start + 2);
  maker.cpu(job::SliceKind::op, first, start + 10, start + 20);
  maker.cpu(kRuntime, "cudaLaunchKernel", start + 12, start + 14);
  maker.cpu(job::SliceKind::op, "aten::copy_", start + 20, start + 30);
  maker.cpu(kRuntime, "cudaStreamIsCapturing", start + 21, start + 22);
  maker.cpu(kRuntime, "cudaMemcpyAsync", start + 22, start + 24);
  maker.cpu(kRuntime, "cuLaunchKernelEx", start + 32, start + 34);
  maker.cpu(kRuntime, "cudaStreamEndCapture", start + 40, start + 42);
}

void replay(TraceMaker& maker, std::int64_t id, int start, bool side_by_side = false) {
  maker.cpu(kRuntime, "cudaGraphLaunch", start, start + 5).correlation = id;
  maker.gpu(job::SliceKind::kernel, "gemm", start + 10, start + 40).correlation = id;
  maker.gpu(job::SliceKind::memcpy, "Memcpy DtoD", start + (side_by_side ? 30 : 40), start + 50)
      .correlation = id;
  maker.gpu(job::SliceKind::kernel, "own", start + 50, start + 60).correlation = id;
}

std::string text_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  const result::GraphWork graphs = aggregate::graph_work(indices);
  std::string out =
      fmt::format("{} launches, {} captures, {} works, {:g} of {:g} us\n", graphs.launches,
                  graphs.captures, graphs.work, graphs.mapped_us, graphs.us);
  for (const result::GraphOperator& row : graphs.operators)
    out += fmt::format("{}: {} of {:g} us, {:g} %\n", row.op, row.work, row.us, row.percent);
  return out;
}

} // namespace

TEST_CASE("a capture in another trace tells the operators of what a graph replays") {
  TraceMaker captured;
  capture(captured, 0);
  TraceMaker replayed;
  replay(replayed, 1, 1000);
  replay(replayed, 2, 2000);
  CHECK(text_of(test::list_of(captured.make(), replayed.make())) ==
        "2 launches, 1 captures, 6 works, 0.1 of 0.1 us\n"
        "aten::mm: 2 of 0.06 us, 60 %\n"
        ": 2 of 0.02 us, 20 %\n"
        "aten::copy_: 2 of 0.02 us, 20 %\n");
}

TEST_CASE("work that runs side by side is in no order") {
  TraceMaker maker;
  capture(maker, 0);
  replay(maker, 1, 1000, true);
  CHECK(text_of(test::list_of(maker.make())) == "1 launches, 1 captures, 3 works, 0 of 0.06 us\n");
}

TEST_CASE("captures that fit and have other operators tell nothing") {
  TraceMaker maker;
  capture(maker, 0);
  capture(maker, 100, "aten::bmm");
  replay(maker, 1, 1000);
  CHECK(text_of(test::list_of(maker.make())) == "1 launches, 2 captures, 3 works, 0 of 0.05 us\n");
}

TEST_CASE("a capture of less work is another graph's") {
  TraceMaker maker;
  maker.cpu(kRuntime, "cudaStreamBeginCapture", 0, 2);
  maker.cpu(kRuntime, "cudaLaunchKernel", 5, 6);
  maker.cpu(kRuntime, "cudaStreamEndCapture", 10, 12);
  replay(maker, 1, 1000);
  CHECK(text_of(test::list_of(maker.make())) == "1 launches, 1 captures, 3 works, 0 of 0.05 us\n");
}

} // namespace test_graph_work

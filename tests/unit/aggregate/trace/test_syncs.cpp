#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_syncs {

using namespace debrief;
using test::TraceMaker;

namespace {

std::string text_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  std::string text;
  for (const result::SyncRow& row : aggregate::sync_rows(indices))
    text += fmt::format("{}: {} by {} in {}, {} of {:g} us\n", row.process, row.call, row.op,
                        row.outer, row.calls, row.us);
  return text;
}

/// A call that copies, at `start` for a microsecond.
void copy(TraceMaker& maker, std::int64_t id, std::string_view call, std::string_view what,
          std::int64_t start) {
  maker.cpu(job::SliceKind::runtime, call, start, start + 1000).correlation = id;
  maker.gpu(job::SliceKind::memcpy, what, start + 5, start + 900).correlation = id;
}

} // namespace

TEST_CASE("waits are listed with the operator that causes them, most time first") {
  TraceMaker maker;
  maker.step(1, 0, 100'000);
  maker.cpu(job::SliceKind::op, "aten::item", 1000, 20'000);
  maker.cpu(job::SliceKind::op, "aten::_local_scalar_dense", 1100, 19'000);
  maker.cpu(job::SliceKind::runtime, "cudaStreamSynchronize", 2000, 12'000);
  maker.cpu(job::SliceKind::runtime, "cudaEventQuery", 13'000, 14'000);
  maker.cpu(job::SliceKind::runtime, "cudaDeviceSynchronize", 30'000, 60'000);
  maker.cpu(job::SliceKind::runtime, "cudaDeviceSynchronize", 61'000, 62'000);
  maker.cpu(job::SliceKind::runtime, "cudaDeviceSynchronize", 100'500, 190'000); // the profiler's
  CHECK(text_of(test::list_of(maker.make())) ==
        "rank 0: cudaDeviceSynchronize by  in , 2 of 31 us\n"
        "rank 0: cudaStreamSynchronize by aten::_local_scalar_dense in aten::item, 1 of 10 us\n");
}

TEST_CASE("a wait inside of a wait counts once") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::runtime, "hipDeviceSynchronize", 0, 10'000);
  maker.cpu(job::SliceKind::runtime, "hipStreamSynchronize", 1000, 9000);
  CHECK(text_of(test::list_of(maker.make())) ==
        "rank 0: hipDeviceSynchronize by  in , 1 of 10 us\n");
}

TEST_CASE("copies from the GPU count where they block") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::op, "aten::to", 0, 20'000);
  copy(maker, 1, "cudaMemcpyAsync", "Memcpy DtoH (Device -> Pageable)", 1000);
  copy(maker, 2, "cudaMemcpyAsync", "Memcpy DtoH (Device -> Pinned)", 3000);
  copy(maker, 3, "cudaMemcpyAsync", "Memcpy HtoD (Pageable -> Device)", 5000);
  copy(maker, 4, "hipMemcpyWithStream", "Memcpy DtoH (Device -> Pinned)", 7000);
  maker.cpu(job::SliceKind::op, "my::kernel", 30'000, 50'000);
  copy(maker, 5, "cudaMemcpyAsync", "Memcpy DtoH (Device -> Pageable)", 31'000);
  CHECK(text_of(test::list_of(maker.make())) ==
        "rank 0: cudaMemcpyAsync by aten::to in aten::to, 1 of 1 us\n"
        "rank 0: hipMemcpyWithStream by aten::to in aten::to, 1 of 1 us\n");
}

TEST_CASE("calls that synchronize are known by their names") {
  CHECK(aggregate::is_synchronizing("cudaEventSynchronize"));
  CHECK(aggregate::is_synchronizing("cuCtxSynchronize"));
  CHECK(aggregate::is_synchronizing("hipStreamSynchronize"));
  CHECK_FALSE(aggregate::is_synchronizing("cudaEventQuery"));
  CHECK_FALSE(aggregate::is_synchronizing("cudaStreamWaitEvent"));
  CHECK_FALSE(aggregate::is_synchronizing("mySynchronize"));
}

TEST_CASE("a trace without a GPU has no waits") {
  TraceMaker maker;
  maker.step(1, 0, 1000);
  maker.cpu(job::SliceKind::op, "aten::item", 0, 500);
  CHECK(text_of(test::list_of(maker.make())).empty());
}

} // namespace test_syncs

#include "aggregate/trace/blocking_copies.h"
#include "aggregate/trace/copies.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

namespace test_blocking_copies {

using namespace debrief;
using Kind = job::SliceKind;

namespace {

/// Rows of a trace with one call, in an operator, that copies as `copy` says; empty: not recorded.
std::vector<result::SyncRow> rows(const char* op, const char* call, const char* copy) {
  test::TraceMaker make;
  make.step(0, 0, 1000);
  make.cpu(Kind::op, op, 90, 510);
  make.cpu(Kind::runtime, call, 100, 500).correlation = 1;
  if (*copy != 0) make.gpu(Kind::memcpy, copy, 110, 500).correlation = 1;
  const std::vector<job::Trace> traces = test::list_of(make.make());
  return aggregate::blocking_copies(
      std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
}

} // namespace

TEST_CASE("copies from pageable memory, and synchronous ones, hold up the host") {
  const auto found = rows("aten::copy_", "cudaMemcpyAsync", "Memcpy HtoD (Pageable -> Device)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].call == "cudaMemcpyAsync");
  CHECK(found[0].op == "aten::copy_");
  CHECK(found[0].us == 0.4);
  CHECK(rows("aten::copy_", "hipMemcpyWithStream", "Memcpy HtoD (Host -> Device)").size() == 1);
  CHECK(rows("aten::copy_", "hipMemcpyWithStream", "").size() == 1);
  CHECK(rows("aten::copy_", "cudaMemcpy", "").size() == 1);
}

TEST_CASE("other copies do not, or are waits for the GPU") {
  CHECK(rows("aten::copy_", "cudaMemcpyAsync", "Memcpy HtoD (Pinned -> Device)").empty());
  CHECK(rows("aten::copy_", "cudaMemcpyAsync", "Memcpy DtoD (Device -> Device)").empty());
  CHECK(rows("aten::copy_", "cudaMemcpyAsync", "Memcpy DtoH (Device -> Pageable)").empty());
  CHECK(rows("aten::_local_scalar_dense", "hipMemcpyWithStream", "").empty());
  CHECK(rows("aten::copy_", "cudaMemcpyAsync", "").empty());
  CHECK(rows("aten::copy_", "cudaMemcpyPeerAsync", "").empty());
}

TEST_CASE("copies between host and GPU are told from those within the GPU") {
  CHECK(aggregate::copy_kind("Memcpy HtoD (Pageable -> Device)").to_gpu());
  CHECK(aggregate::copy_kind("CopyDeviceToHost").of_host());
  CHECK_FALSE(aggregate::copy_kind("CopyDeviceToHost").to_gpu());
  CHECK_FALSE(aggregate::copy_kind("Memcpy DtoD (Device -> Device)").of_host());
  CHECK_FALSE(aggregate::copy_kind("Memset (Device)").of_host());
}

} // namespace test_blocking_copies

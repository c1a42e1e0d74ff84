#include "aggregate/trace/copies.h"
#include "aggregate/trace/figures.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_copies {

using namespace debrief;
using Kind = job::SliceKind;

TEST_CASE("copies say their direction and memory by name") {
  const auto text = [](std::string_view name) {
    const aggregate::CopyKind kind = aggregate::copy_kind(name);
    return kind.direction + "|" + kind.memory;
  };
  CHECK(text("Memcpy HtoD (Pageable -> Device)") == "Host to device|Pageable to device");
  CHECK(text("Memcpy DtoH (Device -> Pinned)") == "Device to host|Device to pinned");
  CHECK(text("Memcpy DtoD (Device -> Device)") == "Device to device|Device to device");
  CHECK(text("Memcpy PtoP (Device -> Device)") == "Peer to peer|Device to device");
  CHECK(text("Memcpy HtoD") == "Host to device|");
  CHECK(text("CopyDeviceToHost") == "Device to host|");
  CHECK(text("Memset (Device)") == "Memset|Device");
  CHECK(text("stored (a -> b)") == "stored (a -> b)|");
  CHECK(text(")(") == ")(|");
  CHECK(text("").size() == 1);
}

TEST_CASE("copies are summed per process, with bytes over time") {
  test::TraceMaker make{"a"};
  make.gpu(Kind::memcpy, "Memcpy HtoD (Pinned -> Device)", 0, 100).details = make.copy_args(4000);
  make.gpu(Kind::memcpy, "Memcpy HtoD (Pinned -> Device)", 200, 300).details = make.copy_args(2000);
  make.gpu(Kind::memcpy, "Memcpy HtoD (Pinned -> Device)", 400, 500).details = make.copy_args(-1);
  make.gpu(Kind::memset, "Memset (Device)", 600, 610);
  test::TraceMaker other{"b"};
  other.gpu(Kind::memcpy, "Memcpy DtoH (Device -> Pageable)", 0, 10).details = other.copy_args(0);
  const std::vector<job::Trace> traces = test::list_of(make.make(), other.make());
  const auto rows =
      aggregate::trace_copies(std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].process == "a");
  CHECK(rows[0].direction == "Host to device");
  CHECK(rows[0].calls == 3);
  CHECK(rows[0].us == 0.3);
  CHECK(rows[0].bytes == 6000);
  CHECK(rows[0].bandwidth == 30); // of the two that record bytes
  CHECK(rows[1].direction == "Memset");
  CHECK_FALSE(rows[1].bytes);
  CHECK_FALSE(rows[1].bandwidth);
  CHECK(rows[2].process == "b");
  CHECK(rows[2].bytes == 0);
}

} // namespace test_copies

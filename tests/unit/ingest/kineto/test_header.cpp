#include "ingest/chrome_trace/repair.h"
#include "ingest/kineto/header.h"

#include <catch2/catch_test_macros.hpp>

namespace test_header {

using namespace debrief;
using ingest::chrome_trace::close_object;

namespace {

job::Trace named(std::string_view name) {
  job::Trace trace;
  ingest::kineto::read_worker_name(name, trace);
  return trace;
}

} // namespace

TEST_CASE("a header tells devices, rank, groups, recording options and the origin of times") {
  job::Trace trace;
  Nanoseconds base{};
  const std::string_view trouble = ingest::kineto::read_header(
      R"({"deviceProperties": [{"id": 1, "name": "NVIDIA H200", "totalGlobalMem": 150109880320, "numSms": 132,
          "computeMajor": 9, "computeMinor": 0, "maxThreadsPerMultiprocessor": 2048}],
          "record_shapes": 1, "profile_memory": true, "with_stack": 0,
          "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 128,
            "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "ranks": [0, 1]}, 7]},
          "baseTimeNanoseconds": 1790857026000000000, "traceEvents": []})",
      trace, base);
  CHECK(trouble.empty());
  CHECK(base == Nanoseconds{1790857026000000000});
  REQUIRE(trace.gpus.size() == 1);
  CHECK(trace.gpus[0].id == 1);
  CHECK(trace.gpus[0].memory == 150109880320);
  CHECK(trace.rank == 3);
  CHECK(trace.world_size == 128);
  CHECK(trace.backend == "nccl");
  REQUIRE(trace.groups.size() == 1);
  CHECK(trace.groups[0].ranks == std::vector<std::int64_t>{0, 1});
  CHECK(trace.with_shapes);
  CHECK(trace.with_memory);
  CHECK_FALSE(trace.with_stacks);
}

TEST_CASE("a header of the wrong types tells nothing and harms nothing") {
  job::Trace trace;
  Nanoseconds base{7};
  const std::string_view trouble = ingest::kineto::read_header(
      R"({"deviceProperties": {"id": 0}, "distributedInfo": [1], "baseTimeNanoseconds": "soon"})",
      trace, base);
  CHECK(trouble.empty());
  CHECK(base == Nanoseconds{});
  CHECK(trace.gpus.empty());
  CHECK_FALSE(trace.rank.has_value());
  CHECK(ingest::kineto::read_header("[1, 2", trace, base) == "is not valid JSON");
}

TEST_CASE("a worker's name has its node and process, or its rank") {
  CHECK(named("algo-1_605.1794700287797757440.pt.trace.json.gz").node == "algo-1");
  CHECK(named("algo-1_605.1794700287797757440.pt.trace.json.gz").pid == 605);
  CHECK(named("algo-1.1794703089167579904.pt.trace.json").node == "algo-1");
  CHECK_FALSE(named("algo-1.1794703089167579904.pt.trace.json").pid.has_value());
  CHECK(named("rank0.1794703225965598720.pt.trace.json.gz").rank == 0);
  CHECK(named("rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz").rank == 34);
  CHECK(named("rank_5.json").rank == 5);
  CHECK_FALSE(named("ranking.json").rank.has_value());
  CHECK(named("trace.json").node.empty());
}

TEST_CASE("an object that is cut off is closed after its last whole member") {
  bool cut = false;
  CHECK(close_object(R"({"a": 1, "b": [1, {"c": "}"}]} tail)", cut) ==
        R"({"a": 1, "b": [1, {"c": "}"}]})");
  CHECK_FALSE(cut);
  CHECK(close_object(R"({"a": 1, "b": [2], "c": "hal)", cut) == R"({"a": 1, "b": [2]})");
  CHECK(cut);
  CHECK(close_object(R"({"a": {"b": 1, "c")", cut).empty());
  CHECK(cut);
}

} // namespace test_header

#include "ingest/block_reader.h"
#include "ingest/kineto/event.h"

#include <catch2/catch_test_macros.hpp>

namespace test_event {

using namespace debrief;
using ingest::chrome_trace::TokenCursor;
using ingest::chrome_trace::TokenIndex;
using ingest::kineto::Event;
using ingest::kineto::EventParser;

namespace {

/// Keeps the text and the parser that an event's texts refer to.
struct Parsed {
  explicit Parsed(const std::string& json)
      : text(json + std::string(ingest::BlockReader::kPadding, '\0')) {
    if (tokens.find(std::string_view{text}.substr(0, json.size())) != TokenIndex::Found::good)
      return;
    TokenCursor cursor = tokens.cursor();
    good = parser.parse(cursor, event) && cursor.at == cursor.end;
  }

  std::string text;
  TokenIndex tokens;
  EventParser parser;
  Event event;
  bool good = false;
};

} // namespace

TEST_CASE("a kernel's event has its arguments, in whatever order the keys come") {
  const Parsed parsed{
      R"({"args": {"grid": [4, 2, 1], "block": [128, 1, 1], "correlation": 77, "External id": 5, "stream": 7,
         "device": 0, "registers per thread": 32, "shared memory": 1024, "blocks per SM": 0.25,
         "est. achieved occupancy %": 12}, "dur": 2.5, "tid": 7, "pid": 0, "ts": 10.001,
         "name": "gemm \"x\"", "cat": "kernel", "ph": "X"})"};
  REQUIRE(parsed.good);
  const Event& event = parsed.event;
  CHECK(event.ph == "X");
  CHECK(event.cat == "kernel");
  CHECK(event.name == "gemm \"x\"");
  CHECK(event.ts == Nanoseconds{10'001});
  CHECK(event.dur == Nanoseconds{2'500});
  CHECK(event.correlation == 77);
  CHECK(event.external == 5);
  CHECK(event.stream == 7);
  CHECK(event.launch.grid == std::array<std::int32_t, 3>{4, 2, 1});
  CHECK(event.launch.registers == 32);
  CHECK(event.launch.blocks_per_sm == 0.25F);
  CHECK(event.launch.occupancy == 12.0F);
}

TEST_CASE("shapes are kept as they stand") {
  const Parsed parsed{
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "args": {"Input Dims": [[8, 4], []] , "Input type": ["float", ""]}})"};
  REQUIRE(parsed.good);
  CHECK(parsed.event.dims == "[[8, 4], []]");
  CHECK(parsed.event.types == R"(["float", ""])");
}

TEST_CASE("a process or thread is a number, a text with a number, or a text") {
  const Parsed parsed{R"({"ph": "X", "pid": "Spans", "tid": 18446744073709551616})"};
  REQUIRE(parsed.good);
  CHECK(parsed.event.pid.text == "Spans");
  CHECK_FALSE(parsed.event.tid.number.has_value()); // beyond every integer
}

TEST_CASE("integers may be texts or have a fraction; what does not fit is absent") {
  const Parsed parsed{
      R"({"ph": "i", "name": "[memory]", "args": {"Bytes": "512", "Total Allocated": 1024.0, "Device Type": 1,
          "Device Id": null, "Addr": 18446744073709551615, "Total Reserved": 99999999999999999999}})"};
  REQUIRE(parsed.good);
  CHECK(parsed.event.memory_bytes == 512);
  CHECK(parsed.event.total_allocated == 1024);
  CHECK(parsed.event.address == 18446744073709551615U);
  CHECK_FALSE(parsed.event.total_reserved.has_value());
  CHECK_FALSE(parsed.event.device_id.has_value());
}

TEST_CASE("NaN and Infinity are absent, and noted") {
  for (const char* word : {"NaN", "Infinity", "-Infinity"}) {
    const Parsed parsed{std::string{R"({"ph": "X", "cat": "kernel", "name": "k", "ts": )"} + word +
                        R"(, "args": {"est. achieved occupancy %": )" + word + "}}"};
    REQUIRE(parsed.good);
    CHECK_FALSE(parsed.event.ts.has_value());
    CHECK(parsed.event.launch.occupancy == -1);
    CHECK((parsed.event.repaired & ingest::chrome_trace::kNotANumber) != 0);
  }
}

TEST_CASE("a repeated key counts with its last value") {
  const Parsed parsed{R"({"ph": "X", "name": "a", "ts": 1, "name": "b", "ts": 2})"};
  REQUIRE(parsed.good);
  CHECK(parsed.event.name == "b");
  CHECK(parsed.event.ts == Nanoseconds{2'000});
}

TEST_CASE("a text with an escape that JSON does not have is kept as it is") {
  const Parsed parsed{R"({"ph": "X", "name": "C:\qux"})"};
  REQUIRE(parsed.good);
  CHECK(parsed.event.name == R"(C:\qux)");
  CHECK((parsed.event.repaired & ingest::chrome_trace::kBrokenEscape) != 0);
}

TEST_CASE("ranges that torch marks are annotations, also where PyTorch 1.8 to 1.11 says operator") {
  for (const char* category : {"Operator", "cpu_op", "user_annotation"}) {
    CAPTURE(category);
    for (const char* name :
         {"ProfilerStep#4", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
          "Optimizer.step#SGD.step", "Optimizer.zero_grad#SGD.zero_grad"})
      CHECK(ingest::kineto::kind_of(category, name) == job::SliceKind::annotation);
  }
  CHECK(ingest::kineto::kind_of("Operator", "aten::mm") == job::SliceKind::op);
  CHECK(ingest::kineto::kind_of("Operator", "Optimizer") == job::SliceKind::op);
}

TEST_CASE("broken JSON is no event") {
  for (const char* text : {R"({"ph": "X" "name": "a"})", R"({"ph": "a"b"})", R"({"ph"; "X"})",
                           R"({"ts": tru})", R"({"name": abc})", R"({"args": {"grid": [1, 2}})"}) {
    CAPTURE(text);
    CHECK_FALSE(Parsed{text}.good);
  }
}

} // namespace test_event

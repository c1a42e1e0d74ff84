#include "ingest/trace_scanner.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace test_trace_scanner {

using namespace debrief;

namespace {

struct Scanned {
  std::vector<std::string> events;
  std::vector<std::uint64_t> broken;
  bool found = false;
  bool cut_off = false;
};

Scanned scan(const std::string& text, std::size_t piece = SIZE_MAX) {
  test::TextSource source{text, piece};
  ingest::BlockReader bytes{source};
  ingest::TraceScanner scanner{bytes};
  Scanned out;
  scanner.run(
      [&](const ingest::TraceScanner::EventText& event) {
        CHECK(event.capacity >= event.text.size() + ingest::BlockReader::kPadding);
        CHECK(text.substr(event.offset, event.text.size()) == event.text);
        if (!nlohmann::json::accept(event.text)) return ingest::TraceScanner::Verdict::broken;
        out.events.emplace_back(event.text);
        return ingest::TraceScanner::Verdict::good;
      },
      [&](std::uint64_t offset) { out.broken.push_back(offset); });
  out.found = scanner.found_events();
  out.cut_off = scanner.cut_off();
  return out;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("events are split off an array or an object's traceEvents") {
  const Texts expected = {R"({"a": 1})", R"({"b": {"c": [1, {}]}})"};
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
    CHECK(scan("[\n{\"a\": 1},\n{\"b\": {\"c\": [1, {}]}}\n]\n", piece).events == expected);
    CHECK(
        scan(
            R"({"x": {"traceEvents": [{"no": 1}]}, "y": "traceEvents", "z": [1], "traceEvents" : [{"a": 1},{"b": {"c": [1, {}]}}], "w": [{"no": 2}]})",
            piece)
            .events == expected);
  }
}

TEST_CASE("brackets and quotes inside strings are text") {
  const Scanned out = scan(R"([{"name": "a}]{\"[\\"},{"b": 2}])");
  CHECK(out.events == Texts{R"({"name": "a}]{\"[\\"})", R"({"b": 2})"});
  CHECK(out.broken.empty());
}

TEST_CASE("a missing end of the array is no loss") {
  const Scanned out = scan("[\n{\"a\": 1},\n{\"b\": 2},\n");
  CHECK(out.events.size() == 2);
  CHECK_FALSE(out.cut_off);
}

TEST_CASE("a file that ends inside an event is cut off") {
  const Scanned out = scan("[\n{\"a\": 1},\n{\"b\": 2, \"c\": \"hal");
  CHECK(out.events.size() == 1);
  CHECK(out.cut_off);
}

TEST_CASE("a broken event costs only itself") {
  const Texts expected = {R"({"a": 1})", R"({"d": 4})"};
  for (const char* broken : {
           "{\"b\": 2, \"c\"",      // cut inside
           "{\"b\": \"unclosed}",   // quote missing
           "{\"b\": {\"c\": 1}",    // bracket missing
           "{\"b\": bad}",          // balanced, not JSON
           "{\"b\": \"a\"quote\"}", // unescaped quotes
           "{\"b\": NaN}",          // no JSON number
       }) {
    CAPTURE(broken);
    const std::string lines = std::string{"[\n{\"a\": 1},\n"} + broken + ",\n{\"d\": 4}\n]";
    const Scanned out = scan(lines);
    CHECK(out.events == expected);
    CHECK(out.broken == std::vector<std::uint64_t>{12});
    CHECK_FALSE(out.cut_off);
  }
}

TEST_CASE("on one long line the next event is found too") {
  const Scanned out = scan(R"({"traceEvents":[{"a":1},{"b":tru},{"d":4}]})");
  CHECK(out.events == Texts{R"({"a":1})", R"({"d":4})"});
  CHECK(out.broken.size() == 1);
}

TEST_CASE("indented events may hold objects on lines of their own") {
  const std::string text = R"({
  "traceEvents": [
    {
      "ph": "M",
      "args": {
        "list": [
          {
            "a": 1
          }
        ]
      }
    },
    {
    }
  ]
})";
  const Scanned out = scan(text);
  CHECK(out.events.size() == 2);
  CHECK(out.broken.empty());
}

TEST_CASE("many broken lines are passed in linear time") {
  std::string text = "[\n";
  for (int i = 0; i < 100'000; ++i)
    text += "{\"a\": {\"b\": \"c\n";
  const Scanned out = scan(text + "{\"d\": 4}\n]");
  CHECK(out.events == Texts{R"({"d": 4})"});
  CHECK(out.broken.size() == 100'000);
}

TEST_CASE("a text without events has none") {
  CHECK_FALSE(scan("").found);
  CHECK_FALSE(scan("hello").found);
  CHECK_FALSE(scan(R"({"traceEvents": 3, "other": [{"a": 1}]})").found);
  CHECK(scan("[]").found);
}

TEST_CASE("what follows a list of events that stands alone is seen, but for space") {
  const auto followed = [](const std::string& text) {
    test::TextSource source{text, 3};
    ingest::BlockReader bytes{source};
    ingest::TraceScanner scanner{bytes};
    scanner.run(
        [](const ingest::TraceScanner::EventText&) { return ingest::TraceScanner::Verdict::good; },
        [](std::uint64_t) {});
    return scanner.followed();
  };
  CHECK(followed("[{\"a\": 1}]\n[{\"b\": 2}]\n"));
  CHECK(followed("[]x"));
  CHECK_FALSE(followed("[{\"a\": 1}]\r\n \n"));
  CHECK_FALSE(followed("[{\"a\": 1}"));
  CHECK_FALSE(followed(R"({"traceEvents": [{"a": 1}], "more": [1]})"));
}

TEST_CASE("events of a timeline that seem to go on to the end of the file take linear time") {
  std::string text = "[";
  while (text.size() < std::size_t{4} * 1024 * 1024)
    text += R"({"a":[},)";
  const Scanned out = scan(text); // hours, if each of them was followed to the end
  CHECK(out.events.empty());
  CHECK(out.broken.size() > 1000);
}

TEST_CASE("damage before the list of events does not cost the list") {
  const std::string list = "\"traceEvents\": [\n  {\n    \"ph\": \"X\"\n  }\n]\n}\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, SIZE_MAX})
    for (const std::string head : {"{\n\"a\": [\n{\"b\": 1}\n],\n",
                                   "{\n\"a\":\"[\n{\"b\": 1}\n],\n", "{\n\"a: [\n{\"b\": 1}\n],\n",
                                   "{\n\"a\": [\n{\"b\": 1z\n],\n", "{\n\"a\": [\n{\"b\": 1}\nz,\n",
                                   "{\n\"a\": z\n{\"b\": 1}\n],\n", "{\n\"a\": \"b\\\n\"c\": 1,\n"})
      CHECK(scan(head + list, piece).events.size() == 1);
}

} // namespace test_trace_scanner

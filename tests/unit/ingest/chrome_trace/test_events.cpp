#include "ingest/chrome_trace/events_list.h"
#include "ingest/chrome_trace/events_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace test_events {

using namespace debrief;
using namespace ingest::chrome_trace;

namespace {

struct Scanned {
  std::vector<std::string> events;
  std::uint64_t broken = 0;
  bool found = false;
  bool cut_off = false;
};

/// Keeps the texts of events.
class TextChunk final : public EventChunk {
public:
  TextChunk()
      : EventChunk("x.json") {}

  bool parse(TokenCursor& cursor) override {
    const char* const start = cursor.here();
    if (!cursor.skip_value()) return false;
    event_.assign(start, cursor.text + cursor.at[-1] + 1);
    return nlohmann::json::accept(event_);
  }

  void take(std::uint64_t offset) override {
    ++records;
    texts.push_back(event_);
    offsets.push_back(offset);
  }

  std::vector<std::string> texts;
  std::vector<std::uint64_t> offsets;

private:
  std::string event_;
};

class TextConsumer final : public EventConsumer {
public:
  explicit TextConsumer(const std::string& text)
      : text_(text) {}

  std::unique_ptr<EventChunk> new_chunk() const override { return std::make_unique<TextChunk>(); }

  ListEnd list_end() const override { return ListEnd::first; }

  void absorb(const EventChunk& own) override {
    const auto& chunk = static_cast<const TextChunk&>(own);
    for (std::size_t i = 0; i < chunk.texts.size(); ++i) {
      CHECK(text_.substr(chunk.offsets[i], chunk.texts[i].size()) == chunk.texts[i]);
      events.push_back(chunk.texts[i]);
    }
  }

  std::vector<std::string> events;

private:
  const std::string& text_;
};

Scanned scan(const std::string& text, std::size_t piece = SIZE_MAX, std::size_t block = 1 << 20) {
  test::TextSource source{text, piece};
  ingest::BlockReader bytes{source};
  Scanned out;
  out.found = enter_events_list(bytes).has_value();
  if (!out.found) return out;
  TextConsumer consumer{text};
  job::ReadingReport report;
  BlockMerger merger{"x.json", consumer, report};
  EventsReader{bytes, {block, 1}, merger}.run();
  out.events = consumer.events;
  out.broken = test::count_in(report.skipped, "event is not valid JSON");
  out.cut_off = merger.unfinished() > 0;
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
  CHECK(out.broken == 0);
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
    CHECK(out.broken == 1);
    CHECK_FALSE(out.cut_off);
  }
}

TEST_CASE("on one long line the next event is found too") {
  const Scanned out = scan(R"({"traceEvents":[{"a":1},{"b":tru},{"d":4}]})");
  CHECK(out.events == Texts{R"({"a":1})", R"({"d":4})"});
  CHECK(out.broken == 1);
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
  CHECK(out.broken == 0);
}

TEST_CASE("many broken lines are passed in linear time") {
  std::string text = "[\n";
  for (int i = 0; i < 100'000; ++i)
    text += "{\"a\": {\"b\": \"c\n";
  const Scanned out = scan(text + "{\"d\": 4}\n]");
  CHECK(out.events == Texts{R"({"d": 4})"});
  CHECK(out.broken == 100'000);
}

TEST_CASE("a text without events has none") {
  CHECK_FALSE(scan("").found);
  CHECK_FALSE(scan("hello").found);
  CHECK_FALSE(scan(R"({"traceEvents": 3, "other": [{"a": 1}]})").found);
  CHECK(scan("[]").found);
}

TEST_CASE("events of a timeline that seem to go on to the end of the file take linear time") {
  std::string text = "[";
  while (text.size() < std::size_t{4} * 1024 * 1024)
    text += R"({"a":[},)";
  const Scanned out = scan(text); // hours, if each of them was followed to the end
  CHECK(out.events.empty());
  CHECK(out.broken == 1); // nothing in it starts as events do
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

} // namespace test_events

#include "ingest/chrome_trace/events_reader.h"
#include "ingest/kineto/builder.h"
#include "repository.h"
#include "trace_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_block_sizes {

using namespace debrief;
using test::dump;
using test::op;
using test::read_trace;
using test::trace_of;

namespace {

/// A trace in which blocks end in the worst places: objects inside of events that look like events.
std::string awkward_trace(int events, bool broken) {
  std::string text;
  for (int i = 0; i < events; ++i) {
    if (i > 0) text += i % 3 == 0 ? "," : ",\n";
    text += op("op " + std::to_string(i % 17), 10.0 * ((i * 7) % events), 1 + i % 5,
               R"("External id": )" + std::to_string(i) + R"(, "Input Dims": [[)" +
                   std::to_string(i % 4) +
                   R"(]], "nested": [{"name": "x"}, {"ts": 1, "ph": 2}, {"name": "},{\"ph\""}])");
    if (!broken) continue;
    if (i % 11 == 3) text += ",\n{\"ph\": \"X\", \"name\": \"a \"quoted\" one\"}";
    if (i % 13 == 5) text += ",\n[W1115 foo.cpp:3] a {line} of a log";
    if (i % 17 == 7) text += ",\n" + op("not \xFF utf-8 \xC3", i, 1);
    if (i % 19 == 9) text += ",\n  {\"ph\": \"X\", \"args\": {\"a\": 1 }";
    if (i % 23 == 4) text += ",\n" + op("tab\there", i, 1);
  }
  return trace_of(text);
}

/// The same file by the walker alone, event by event.
std::string by_walker(const std::string& events) {
  using namespace ingest::chrome_trace;
  ingest::FileReading reading;
  ingest::kineto::TraceBuilder builder{"t.json", reading.report};
  BlockParser parser{ListEnd::last};
  EventWalker walker{parser, ListEnd::last};
  ingest::kineto::TraceChunk chunk{"t.json"};
  walker.walk(events, 0, 0, events.size(), true, chunk);
  builder.absorb(chunk);
  reading.trace = std::move(builder).finish(job::Trace{}, {});
  return dump(reading);
}

std::string by_blocks(const std::string& events, std::size_t size, std::size_t threads) {
  using namespace ingest::chrome_trace;
  ingest::FileReading reading;
  test::TextSource source{events};
  ingest::BlockReader bytes{source};
  ingest::kineto::TraceBuilder builder{"t.json", reading.report};
  BlockMerger merger{"t.json", builder, reading.report};
  EventsReader{bytes, {size, threads}, merger}.run();
  reading.trace = std::move(builder).finish(job::Trace{}, {});
  return dump(reading);
}

std::vector<std::string> sample_traces() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator{test::repository() / "sample_jobs"})
    if (entry.path().string().find(".pt.trace.json") != std::string::npos)
      paths.push_back(entry.path().string());
  return paths;
}

/// The events of a file, from behind their '[' to its end.
std::string events_of(const std::string& path) {
  const auto source = ingest::open_file(path);
  ingest::BlockReader bytes{*source};
  while (bytes.more()) {
  }
  const std::string_view text = bytes.view();
  return std::string{text.substr(text.find('[', text.find("\"traceEvents\"")) + 1)};
}

} // namespace

TEST_CASE("the outcome does not depend on the size of blocks or the number of threads") {
  const std::string text = awkward_trace(200, false);
  const std::string whole = dump(read_trace(text, {text.size(), 1}));
  for (const std::size_t size : {16U, 64U, 100U, 333U, 1000U, 5000U})
    for (const std::size_t threads : {1U, 2U, 5U}) {
      CAPTURE(size, threads);
      CHECK(dump(read_trace(text, {size, threads})) == whole);
    }
}

TEST_CASE("nor does it where events are broken") {
  const std::string text = awkward_trace(300, true);
  const std::string whole = dump(read_trace(text, {text.size(), 1}));
  CHECK(whole.find("event is not valid JSON") != std::string::npos);
  for (const std::size_t size : {2000U, 5000U, 20'000U})
    for (const std::size_t threads : {1U, 3U}) {
      CAPTURE(size, threads);
      CHECK(dump(read_trace(text, {size, threads})) == whole);
    }
}

TEST_CASE("nor where the file is cut off") {
  const std::string text = awkward_trace(60, false);
  for (std::size_t size = 200; size < text.size(); size += 97) {
    const std::string cut = text.substr(0, size);
    CAPTURE(size);
    CHECK(dump(read_trace(cut, {500, 2})) == dump(read_trace(cut, {cut.size() + 1, 1})));
  }
}

TEST_CASE("real traces give the same in blocks as event by event") {
  const std::vector<std::string> paths = sample_traces();
  REQUIRE_FALSE(paths.empty());
  for (const std::string& path : paths) {
    const std::string events = events_of(path);
    CAPTURE(path);
    const std::string expected = by_walker(events);
    CHECK((by_blocks(events, std::size_t{64} * 1024, 3) == expected));
    CHECK((by_blocks(events, std::size_t{1024} * 1024, 2) == expected));
  }
}

TEST_CASE("a track with more slices than one chunk of memory keeps them all") {
  std::string events;
  for (int i = 0; i < 40'000; ++i)
    events +=
        fmt::format(R"({}{{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":{},"dur":1}})",
                    i == 0 ? "" : ",", i);
  const ingest::FileReading out = read_trace(trace_of(events));
  REQUIRE(out.trace->slices.size() == 40'000);
  CHECK(out.trace->slices[39'999].start - out.trace->slices[0].start == Nanoseconds{39'999'000});
}

} // namespace test_block_sizes

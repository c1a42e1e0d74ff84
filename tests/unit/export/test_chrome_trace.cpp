#include "export/chrome_trace.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace test_chrome_trace {

using namespace debrief;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("a text becomes a JSON string whatever is in it") {
  CHECK(exports::json_text("aten::mm") == R"("aten::mm")");
  CHECK(exports::json_text("a \"b\" \\ c") == R"("a \"b\" \\ c")");
  CHECK(exports::json_text("two\nlines") == R"("two\\nlines")");
  CHECK(exports::json_text("\xff") == R"("\\x{ff}")");
  CHECK(
      nlohmann::json::parse(exports::json_text(std::string_view{"\0\x1f\x7f\xc3", 4})).is_string());
}

TEST_CASE("names of a table are quoted once") {
  job::StringTable names;
  const auto id = names.intern("a\"");
  exports::QuotedNames quoted{names};
  CHECK(quoted[id] == R"("a\"")");
  CHECK(&quoted[id] == &quoted[id]);
}

TEST_CASE("a trace has its clock, its names, slices, counters and arrows") {
  const test::Folder folder;
  const std::string path = folder.path("timeline.json");
  constexpr Nanoseconds kOrigin{1'700'000'000'000'000'000};
  exports::ChromeTrace trace{path, kOrigin};
  const std::int64_t process = trace.add_process("rank 0");
  const auto place = trace.add_thread(process, "GPU 0 stream 7");
  trace.slice(place, "\"kernel\"", "\"kernel\"", kOrigin + Nanoseconds{1'234'567}, Nanoseconds{89},
              R"("bytes":4)");
  trace.counter(process, "\"memory\"", kOrigin + Nanoseconds{5}, R"("allocated":7)");
  trace.arrow(exports::ChromeTrace::End::start, 3, place, kOrigin);
  trace.arrow(exports::ChromeTrace::End::finish, 3, place, kOrigin - Nanoseconds{1});
  CHECK_FALSE(std::filesystem::exists(path)); // not before it is whole
  CHECK(trace.events() == 2);
  const std::uint64_t bytes = trace.finish();
  const std::string text = text_of(path);
  CHECK(bytes == text.size());
  CHECK(text.find(R"("ts":1234.567,"dur":0.089)") != text.npos);

  const auto json = nlohmann::json::parse(text);
  CHECK(json["baseTimeNanoseconds"] == kOrigin.count());
  const auto& events = json["traceEvents"];
  REQUIRE(events.size() == 8);
  CHECK(events[0]["args"]["name"] == "rank 0");
  CHECK(events[2]["args"]["name"] == "GPU 0 stream 7");
  CHECK(events[4]["args"]["bytes"] == 4);
  CHECK(events[4]["pid"] != events[4]["tid"]);
  CHECK(events[5]["ph"] == "C");
  CHECK(events[6]["ph"] == "s");
  CHECK(events[7]["bp"] == "e");
  CHECK(events[7]["ts"] == -0.001);
}

TEST_CASE("a timeline that is given up leaves nothing") {
  const test::Folder folder;
  { exports::ChromeTrace trace{folder.path("timeline.json.gz"), {}}; }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a name that ends in .gz is compressed, the same way each time") {
  const test::Folder folder;
  for (const char* name : {"a.json.gz", "b.json.gz"}) {
    exports::ChromeTrace trace{folder.path(name), {}};
    const auto place = trace.add_thread(trace.add_process("p"), "t");
    for (Nanoseconds i{}; i < Nanoseconds{20'000}; ++i)
      trace.slice(place, "\"op\"", "\"cpu_op\"", i, Nanoseconds{1}, "");
    CHECK(trace.finish() < 200'000);
  }
  const std::string text = text_of(folder.path("a.json.gz"));
  CHECK(text.starts_with("\x1f\x8b"));
  CHECK(text == text_of(folder.path("b.json.gz")));
}

} // namespace test_chrome_trace

#include "ingest/chrome_trace/blocks.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_blocks {

using namespace debrief;
using ingest::chrome_trace::BlockSplitter;
using ingest::chrome_trace::find_last_boundary;
using ingest::chrome_trace::TraceBlock;

namespace {

std::vector<std::string> split(const std::string& text, std::size_t size,
                               std::size_t piece = SIZE_MAX) {
  test::TextSource source{text, piece};
  ingest::BlockReader bytes{source};
  BlockSplitter splitter{bytes, size};
  std::vector<std::string> blocks;
  TraceBlock block;
  std::uint64_t offset = 0;
  while (splitter.next(block)) {
    CHECK(block.offset() == offset);
    offset += block.text().size();
    blocks.emplace_back(block.text());
    if (block.last) break;
  }
  CHECK_FALSE(splitter.next(block));
  CHECK(offset == text.size());
  return blocks;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a boundary is a comma between two objects, of which the second starts as events do") {
  CHECK(find_last_boundary(R"({"ph": "X"}, {"ph": "X"})") == 12);
  CHECK(find_last_boundary("{\"ph\": 1\n} ,\n  {\n \"name\": 2") == 12);
  CHECK(find_last_boundary(R"({"ph": "X"}, {"other": "X"})") == 0);
  CHECK(find_last_boundary(R"({"ph": "},{\"ph\":"})") == 0); // inside of a text
  CHECK(find_last_boundary(R"({"ph": [1, {"ph": 2})") == 0);
  CHECK(find_last_boundary("") == 0);
}

TEST_CASE("blocks end at boundaries and are the text when put together") {
  const std::string text = R"({"ph":1},{"ph":2},{"ph":3},{"ph":4}],"x":1})";
  CHECK(split(text, 20) ==
        Texts{R"({"ph":1},)", R"({"ph":2},)", R"({"ph":3},)", R"({"ph":4}],"x":1})"});
  CHECK(split(text, 1000) == Texts{text});
  CHECK(split(text, 20, 1) == split(text, 20));
}

TEST_CASE("where no boundary is to be found a block ends anywhere, but between characters") {
  const std::string text = std::string(39, 'a') + "é" + std::string(10, 'b');
  CHECK(split(text, 10) == Texts{std::string(39, 'a'), "é" + std::string(10, 'b')});
}

TEST_CASE("an empty text is one empty block") {
  CHECK(split("", 10) == Texts{""});
}

TEST_CASE("a block becomes an array, and its own text again") {
  TraceBlock block;
  block.append(R"({"a":1},)");
  CHECK(block.as_array() == R"([{"a":1}])");
  block.restore();
  CHECK(block.text() == R"({"a":1},)");
  TraceBlock last;
  last.append(R"({"a":1})");
  CHECK(last.as_array() == R"([{"a":1}])");
  last.restore();
  CHECK(last.text() == R"({"a":1})");
  TraceBlock empty;
  CHECK(empty.as_array() == "[]");
}

} // namespace test_blocks

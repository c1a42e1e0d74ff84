#include "ingest/line_shape.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_line_shape {

using namespace debrief;

namespace {

const std::string kLine =
    R"({"Type":"cpu","Name":"cpu0","Value":45.12,"NodeId":"algo-1","Timestamp":1594662618.5})";

ingest::LineShape shape_of(std::string_view line, std::string_view value,
                           std::string_view timestamp) {
  return {line, line.substr(line.find(value), value.size()),
          line.substr(line.find(timestamp), timestamp.size())};
}

/// What a file would have behind the line.
std::string with_more(const std::string& line) {
  return line + "\n" + kLine + "\n" + kLine + "\n" + kLine + "\n";
}

} // namespace

TEST_CASE("a line that differs in its numbers fits the shape", "[line_shape]") {
  const ingest::LineShape shape = shape_of(kLine, "45.12", "1594662618.5");
  const std::string other =
      R"({"Type":"cpu","Name":"cpu0","Value":7,"NodeId":"algo-1","Timestamp":1594662619.25})";
  ingest::LineShape::Numbers numbers;
  CHECK(shape.read(with_more(other), numbers) == other.size() + 1);
  CHECK(numbers.value == 7);
  CHECK(numbers.timestamp == 1594662619.25);
}

TEST_CASE("the timestamp may stand first", "[line_shape]") {
  const std::string line = R"({"Timestamp": 1594662618.5, "Value": 3.5 , "Type":"gpu"})";
  const ingest::LineShape shape = shape_of(line, "3.5", "1594662618.5");
  ingest::LineShape::Numbers numbers;
  CHECK(shape.read(with_more(line), numbers) == line.size() + 1);
  CHECK(numbers.value == 3.5);
  CHECK(numbers.timestamp == 1594662618.5);
}

TEST_CASE("any other byte is another shape", "[line_shape]") {
  const ingest::LineShape shape = shape_of(kLine, "45.12", "1594662618.5");
  ingest::LineShape::Numbers numbers;
  for (std::size_t at = 0; at < kLine.size(); ++at) {
    std::string other = kLine;
    other[at] = other[at] == '#' ? '%' : '#';
    INFO(other);
    CHECK(shape.read(with_more(other), numbers) == 0);
  }
  CHECK(shape.read(with_more(kLine + " "), numbers) == 0);
  CHECK(shape.read(with_more(kLine.substr(0, kLine.size() - 1)), numbers) == 0);
}

TEST_CASE("too little text to tell fits nothing", "[line_shape]") {
  const ingest::LineShape shape = shape_of(kLine, "45.12", "1594662618.5");
  ingest::LineShape::Numbers numbers;
  CHECK(shape.read(kLine + "\n", numbers) == 0);
  CHECK(shape.read("", numbers) == 0);
  CHECK(ingest::LineShape{}.read(with_more(kLine), numbers) == 0);
}

} // namespace test_line_shape

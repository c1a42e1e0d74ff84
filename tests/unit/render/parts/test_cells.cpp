#include "render/parts/cells.h"
#include "render/parts/format.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace test_cells {

using namespace debrief::render;

TEST_CASE("plain numbers have six decimals at most and no exponent") {
  CHECK(plain_number(0) == "0");
  CHECK(plain_number(-0.0000001) == "0");
  CHECK(plain_number(-3.5) == "-3.5");
  CHECK(plain_number(0.0821) == "0.0821");
  CHECK(plain_number(1.0 / 3) == "0.333333");
  CHECK(plain_number(86'400.123'456) == "86400.123456");
  CHECK(plain_number(99.999'999'9) == "100");
  CHECK(plain_number(1'000) == "1000");
  CHECK(plain_number(1e16) == "10000000000000000");
}

TEST_CASE("a figure has its number in the base unit where the text is another") {
  const Cell duration = duration_cell(118.25);
  CHECK(duration.text == "1 min 58 s");
  CHECK(duration.raw == "118.25");
  CHECK(duration.unit == "s");
  CHECK(bytes_cell(1'250'000).text == "1.25 MB");
  CHECK(bytes_cell(1'250'000).raw == "1250000");
  CHECK(bytes_cell(1'250'000).unit == "B");
  CHECK(count_cell(48'470).raw == "48470");
  CHECK(count_cell(470).text == "470");
  CHECK(count_cell(470).raw.empty());
}

TEST_CASE("what is not known has no number") {
  CHECK(duration_cell(std::nullopt).text == kUnknown);
  CHECK(duration_cell(std::nullopt).raw.empty());
  CHECK(duration_cell(std::numeric_limits<double>::quiet_NaN()).text == kUnknown);
  CHECK(count_cell(std::nullopt).text == kUnknown);
  CHECK(count_cell(0).text == "0");
}

TEST_CASE("usage has its unit in a column of its own") {
  CHECK(usage_cell(93.254, "%").text == "93.25");
  CHECK(usage_cell(93.254, "%").raw.empty());
  CHECK(usage_cell(1'250'000, "B/s").raw == "1250000");
  CHECK(usage_cell(1'250'000, "B/s").unit.empty());
}

} // namespace test_cells

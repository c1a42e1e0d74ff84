#include "gate/quantity.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_quantity {

using namespace debrief;
using namespace debrief::gate;

namespace {

double worth(const std::string& text, const std::string& unit) {
  return in_unit(parse_quantity(text).value(), unit).value();
}

} // namespace

TEST_CASE("a quantity is a number and perhaps a unit") {
  CHECK(worth("70", "%") == 70);
  CHECK(worth(" 70% ", "%") == 70);
  CHECK(worth("3pp", "%") == 3);
  CHECK(worth("-1.5e2", "") == -150);
  CHECK(worth("80ms", "s") == Catch::Approx(0.08));
  CHECK(worth("2 min", "s") == 120);
  CHECK(worth("24GB", "B") == 24e9);
  CHECK(worth("1GiB", "B") == 1073741824);
  CHECK(worth("5MB/s", "B/s") == 5e6);
  CHECK(worth("2h", "GPU-hours") == 2);
  CHECK(worth("2 GPU-hours", "GPU-hours") == 2);
}

TEST_CASE("what is no quantity is none") {
  for (const char* text :
       {"", " ", "x", "%", "nan", "inf", "1e999", "70 80", "70% x", "1..2", "70 >= 60"})
    CHECK_FALSE(parse_quantity(text).has_value());
}

TEST_CASE("a unit of another kind does not fit") {
  CHECK_FALSE(in_unit({70, "s"}, "%").has_value());
  CHECK_FALSE(in_unit({70, "%"}, "s").has_value());
  CHECK_FALSE(in_unit({70, "GB"}, "").has_value());
  CHECK_FALSE(in_unit({70, "MS"}, "s").has_value());
  CHECK(units_of("s") == "one of s, ms, us, min, h");
  CHECK(units_of("") == "no unit");
}

TEST_CASE("a value is shown with its unit") {
  CHECK(value_text(63.2, "%") == "63.2%");
  CHECK(value_text(0.061234, "s") == "61.23 ms");
  CHECK(value_text(11.92e9, "B") == "11.92 GB");
  CHECK(value_text(12, "B") == "12 B");
  CHECK(value_text(0, "B/s") == "0 B/s");
  CHECK(value_text(54170, "") == "54170");
  CHECK(value_text(-2.5, "") == "-2.5");
}

TEST_CASE("two values that differ look different") {
  const TextPair near = told_apart(69.99999, 70, "%");
  CHECK(near.first == "69.99999%");
  CHECK(near.second == "70%");
  const TextPair same = told_apart(70, 70, "%");
  CHECK(same.first == same.second);
}

} // namespace test_quantity

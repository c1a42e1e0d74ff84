#include "ingest/chrome_trace/values.h"

#include <catch2/catch_test_macros.hpp>

namespace test_values {

using debrief::ingest::chrome_trace::parse_microseconds;
using debrief::ingest::chrome_trace::unescape;

TEST_CASE("escapes of JSON stand for their characters") {
  CHECK(unescape(R"(plain)") == "plain");
  CHECK(unescape(R"(a\"b\\c\/d\b\f\n\r\t)") == "a\"b\\c/d\b\f\n\r\t");
  CHECK(unescape(R"(\u0041\u00e9\u20AC)") == "Aé€");
  CHECK(unescape(R"(\ud83d\ude00!)") == "😀!");
}

TEST_CASE("escapes that JSON does not have stand for nothing") {
  for (const char* raw : {R"(\q)", R"(\u12)", R"(\u12g4)", R"(\ud83d)", R"(\ud83dx)",
                          R"(\ud83d\u0041)", R"(\ude00)", "\\"}) {
    CAPTURE(raw);
    CHECK_FALSE(unescape(raw).has_value());
  }
}

TEST_CASE("microseconds with decimals become nanoseconds exactly") {
  CHECK(parse_microseconds("3846058873942.145") == debrief::Nanoseconds{3846058873942145});
  CHECK(parse_microseconds("68.0") == debrief::Nanoseconds{68000});
  CHECK(parse_microseconds("0") == debrief::Nanoseconds{0});
  CHECK(parse_microseconds("-1.5") == debrief::Nanoseconds{-1500});
  CHECK(parse_microseconds("1.23456") == debrief::Nanoseconds{1234}); // no finer than a nanosecond
  CHECK(parse_microseconds("1.5e3") == debrief::Nanoseconds{1'500'000});
}

TEST_CASE("what is no time, or fits no clock, is none") {
  for (const char* text : {"", "-", "abc", "12abc", "1.5.2", "99999999999999999999", "1e300"})
    CHECK_FALSE(parse_microseconds(text).has_value());
}

} // namespace test_values

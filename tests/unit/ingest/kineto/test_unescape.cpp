#include "ingest/kineto/unescape.h"

#include <catch2/catch_test_macros.hpp>

namespace test_unescape {

using debrief::ingest::kineto::unescape;

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

} // namespace test_unescape

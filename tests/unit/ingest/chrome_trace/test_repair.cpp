#include "ingest/chrome_trace/repair.h"

#include <catch2/catch_test_macros.hpp>

namespace test_repair {

using namespace debrief;
using ingest::chrome_trace::Repaired;

namespace {

struct Outcome {
  std::string text;
  Repaired repaired;
};

Outcome utf8(std::string text) {
  const Repaired repaired = ingest::chrome_trace::repair_utf8(text);
  return {text, repaired};
}

Outcome controls(std::string text) {
  const Repaired repaired = ingest::chrome_trace::repair_controls(text);
  return {text, repaired};
}

} // namespace

TEST_CASE("valid UTF-8 stays as it is") {
  const std::string text = "a é € 😀 \xED\x9F\xBF \xF4\x8F\xBF\xBF";
  CHECK(utf8(text).text == text);
  CHECK(utf8(text).repaired.count == 0);
}

TEST_CASE("each byte that is not UTF-8 becomes a question mark, and what follows it is kept") {
  CHECK(utf8("a\xFF\xFE"
             "b\xC3\"")
            .text == "a??b?\"");
  CHECK(utf8("a\xFF\xFE"
             "b\xC3\"")
            .repaired.count == 2);
  CHECK(utf8("a\xFF\xFE"
             "b\xC3\"")
            .repaired.first == 1);
  CHECK(utf8("\xE2\x82").text == "??");           // cut off
  CHECK(utf8("\xC0\x80").text == "??");           // longer than needed
  CHECK(utf8("\xED\xA0\x80").text == "???");      // a surrogate
  CHECK(utf8("\xF5\x80\x80\x80").text == "????"); // beyond U+10FFFF
}

TEST_CASE("control characters in texts become spaces") {
  const Outcome out = controls("{\n\"a\": \"x\ty\\\"\x01\x02z\"}");
  CHECK(out.text == "{ \"a\": \"x y\\\"  z\"}");
  CHECK(out.repaired.count == 2);
  CHECK(out.repaired.first == 9);
}

} // namespace test_repair

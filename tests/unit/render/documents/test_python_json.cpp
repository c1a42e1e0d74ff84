#include "render/documents/python_json.h"

#include <catch2/catch_test_macros.hpp>

namespace test_python_json {

using namespace debrief;
using nlohmann::ordered_json;
using render::to_python_json;

TEST_CASE("a document is written as Python's json.dumps writes it") {
  // json.dumps of the same in Python 3.11
  CHECK(
      to_python_json(ordered_json::parse(
          R"({"a":[],"b":{},"c":[1,2.0,null,true,false],"d":{"é":-1},"e":[[1e16,1e-5]],"":12345678901234567890})")) ==
      R"({"a": [], "b": {}, "c": [1, 2.0, null, true, false], "d": {"\u00e9": -1}, )"
      R"("e": [[1e+16, 1e-05]], "": 12345678901234567890})");
}

TEST_CASE("keys stay in their order") {
  ordered_json document;
  document["z"] = 1;
  document["a"] = 2;
  CHECK(to_python_json(document) == R"({"z": 1, "a": 2})");
}

TEST_CASE("a whole float stays a float, a count stays a count") {
  CHECK(to_python_json(70.0) == "70.0");
  CHECK(to_python_json(-0.0) == "-0.0");
  CHECK(to_python_json(70) == "70");
  CHECK(to_python_json(INT64_MIN) == "-9223372036854775808");
  CHECK(to_python_json(UINT64_MAX) == "18446744073709551615");
}

TEST_CASE("text is ASCII, with Python's escapes") {
  CHECK(to_python_json("plain") == R"("plain")");
  CHECK(to_python_json(std::string{"\0\x1f\b\f\n\r\t\"\\/", 10}) ==
        R"("\u0000\u001f\b\f\n\r\t\"\\/")");
  CHECK(to_python_json("\x7f") == R"("\u007f")");
  CHECK(to_python_json("\u2028\u2029") == R"("\u2028\u2029")");
  CHECK(to_python_json("\ud7ff\uffff") == R"("\ud7ff\uffff")");
  CHECK(to_python_json("\U0001F600") == R"("\ud83d\ude00")");
  CHECK(to_python_json("\U0010FFFF") == R"("\udbff\udfff")");
}

TEST_CASE("text that is not UTF-8 shows where") {
  CHECK(to_python_json("a\xff\x62") == R"("a\ufffdb")");
  CHECK(to_python_json("cut \xe2\x80") == R"("cut \ufffd")");
  ordered_json document;
  document["\xff"] = 1;
  CHECK(to_python_json(document) == R"({"\ufffd": 1})");
}

} // namespace test_python_json

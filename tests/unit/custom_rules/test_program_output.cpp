#include "custom_rules/program_output.h"
#include "gate/message.h"

#include <catch2/catch_test_macros.hpp>

namespace test_program_output {

using namespace debrief;
using namespace debrief::custom_rules;

namespace {

std::string refusal(const std::string& text) {
  return test::message_of([&] { parse_program_output(text); });
}

std::string refused_row(const std::string& row) {
  return refusal(R"({"triggered": true, "rows": [)" + row + "]}");
}

} // namespace

TEST_CASE("a program says whether it triggered, why, and where") {
  const ProgramOutput output = parse_program_output(R"({"triggered": true, "reason": "slow",
    "description": "d", "recommendation": "r", "severity": "info", "samples": 90, "rows": [
      {"step": 12, "name": "x", "what": "w", "value": 0.5, "threshold": 2},
      {"time": "2026-11-14T23:48:10Z", "end": 1794700091.5, "node": "n", "device": "gpu0"},
      {"time": 1794700090}]})");
  CHECK(output.triggered == true);
  CHECK(output.reason == "slow");
  CHECK(output.description == "d");
  CHECK(output.recommendation == "r");
  CHECK(output.severity == result::Severity::info);
  CHECK(output.samples == 90);
  REQUIRE(output.rows.size() == 3);
  CHECK(output.rows[0].step == 12);
  CHECK(output.rows[0].value == 0.5);
  CHECK(output.rows[0].threshold == 2.0);
  CHECK_FALSE(output.rows[0].span);
  CHECK(output.rows[1].span->length() == 3 * kSecond / 2);
  CHECK(output.rows[1].device == "gpu0");
  CHECK_FALSE(output.rows[1].value);
  CHECK(output.rows[2].span->length() == 0);
}

TEST_CASE("a program may find nothing, or say that it cannot judge") {
  CHECK(parse_program_output(R"({"triggered": false})").triggered == false);
  CHECK(parse_program_output(R"({"triggered": false, "rows": []})").rows.empty());
  const ProgramOutput output = parse_program_output(R"({"triggered": null, "reason": "no steps"})");
  CHECK_FALSE(output.triggered);
  CHECK(output.reason == "no steps");
}

TEST_CASE("texts are printable and cut") {
  const ProgramOutput output = parse_program_output("{\"triggered\": true, \"reason\": \"a\\nb" +
                                                    std::string(5000, 'x') + "\"}");
  CHECK(output.reason.starts_with("a\\nbx"));
  CHECK(output.reason.size() < 700);
  CHECK(output.reason.ends_with("…"));
}

TEST_CASE("what is no answer is the end of a sentence") {
  CHECK(refusal("") == "wrote nothing");
  CHECK(refusal(" \n") == "wrote nothing");
  CHECK(refusal("{") == "wrote what is not JSON at byte 2");
  CHECK(refusal("{\"triggered\": true, \"reason\": \"\xff\"}") ==
        "wrote what is not JSON at byte 32");
  CHECK(refusal(R"({"triggered": true, "samples": 1e999})") == "wrote a number that is too large");
  CHECK(refusal(R"({"triggered": NaN})") == "wrote what is not JSON at byte 15");
  CHECK(refusal("[]") == "wrote no JSON object");
  CHECK(refusal("{}") == "wrote no \"triggered\" that is true, false or null");
  CHECK(refusal(R"({"triggered": 1})") == "wrote no \"triggered\" that is true, false or null");
  CHECK(refusal(R"({"triggered": true, "row": []})") ==
        "wrote 'row', which means nothing (did you mean 'rows'?)");
  CHECK(refusal(R"({"triggered": true, "rows": {}})") == "wrote no list as rows");
  CHECK(refusal(R"({"triggered": true, "reason": 5})") == "wrote no text as reason");
  CHECK(refusal(R"({"triggered": true, "severity": "bad"})") ==
        "wrote 'bad' as severity; use info, warning or critical");
  CHECK(refusal(R"({"triggered": true, "samples": -1})") == "wrote no whole number as samples");
  CHECK(refusal(R"({"triggered": false, "rows": [{"step": 1}]})") ==
        "wrote rows, but not that it triggered");
}

TEST_CASE("a row has a step or a time") {
  CHECK(refused_row(R"({"step": 0})") == "no error");
  CHECK(refused_row("1") == "wrote no object as rows[0]");
  CHECK(refused_row("{}") == "wrote rows[0] without a step or a time, or with both");
  CHECK(refused_row(R"({"step": 1, "time": 1794700090})") ==
        "wrote rows[0] without a step or a time, or with both");
  CHECK(refused_row(R"({"step": 1, "end": 1794700090})") ==
        "wrote an end without a time as rows[0]");
  CHECK(refused_row(R"({"time": 1794700090, "end": 1794700089})") ==
        "wrote rows[0] with an end before its time");
  CHECK(refused_row(R"({"time": "yesterday"})").starts_with("wrote no time as rows[0].time"));
  CHECK(refused_row(R"({"time": 12})").starts_with("wrote no time as rows[0].time"));
  CHECK(refused_row(R"({"time": true})").starts_with("wrote no time as rows[0].time"));
  for (const char* step : {"-1", "1.5", "9007199254740993", "18446744073709551615", "\"1\""})
    CHECK(refused_row(R"({"step": )" + std::string{step} + "}") ==
          "wrote no whole number as rows[0].step");
  CHECK(refused_row(R"({"step": 9007199254740992})") == "no error");
  CHECK(refused_row(R"({"step": 1, "value": "x"})") == "wrote no number as rows[0].value");
  CHECK(refused_row(R"({"step": 1, "stepp": 2})") ==
        "wrote 'stepp' in rows[0], which means nothing (did you mean 'step'?)");
}

} // namespace test_program_output

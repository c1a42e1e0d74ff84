#include "rules/rule.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

namespace test_parameter {

using namespace debrief;

namespace {

const rules::Parameter kShare = rules::percent_parameter("share", "50", "A share");
const rules::Parameter kWindow = rules::window_parameter("500", "A window");
const rules::Parameter kMode = {"mode", rules::ParameterType::mode, "None", 0, 0,
                                "",     "Steps to look at"};

/// What the refusal says; empty where the value is taken.
std::string refusal(const rules::Parameter& parameter, const std::string& value) {
  try {
    rules::checked_value(parameter, value, "--param");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("a parameter's value is written as SageMaker writes it") {
  CHECK(rules::checked_value(kShare, "80", "--param") == "80");
  CHECK(rules::checked_value(kShare, "80.0", "--param") == "80");
  CHECK(rules::checked_value(kShare, "8e1", "--param") == "80");
  CHECK(rules::checked_value(kShare, "0.25", "--param") == "0.25");
  CHECK(rules::checked_value(kWindow, "100000", "--param") == "100000");
  CHECK(rules::checked_value(rules::scan_interval_parameter(), "86400000000", "--param") ==
        "86400000000");
  CHECK(rules::checked_value(kMode, "EVAL", "--param") == "EVAL");
  CHECK(rules::checked_value(kMode, "None", "--param") == "None");
}

TEST_CASE("percentages go from 0 to 100") {
  CHECK(refusal(kShare, "0").empty());
  CHECK(refusal(kShare, "100").empty());
  CHECK(refusal(kShare, "100.01") == "--param: 100.01 is out of range; use 0 to 100");
  CHECK(refusal(kShare, "-0.5") == "--param: -0.5 is out of range; use 0 to 100");
}

TEST_CASE("windows are at least one sample, patience at least none, and both whole") {
  CHECK(refusal(kWindow, "1").empty());
  CHECK(refusal(kWindow, "0") == "--param: 0 is out of range; use 1 to 100000");
  CHECK(refusal(kWindow, "2.5") == "--param: 2.5 is not a whole number; use 1 to 100000");
  CHECK_FALSE(refusal(kWindow, "1e12").empty());
  CHECK(refusal(rules::patience_parameter(), "0").empty());
  CHECK(refusal(rules::patience_parameter(), "-1") ==
        "--param: -1 is out of range; use 0 to 1000000000");
}

TEST_CASE("what is not a finite number is refused") {
  for (const char* value : {"", " ", "abc", "50%", "5 0", " 50", "50 ", "0x10", "nan", "inf",
                            "-inf", "1e999", "1,5", "--5", "None"}) {
    INFO(value);
    CHECK(refusal(kShare, value).find("is not a number; use 0 to 100") != std::string::npos);
  }
}

TEST_CASE("a mode is one of three, and the nearest is named") {
  CHECK(refusal(kMode, "TRAIM") ==
        "--param: 'TRAIM' is not a mode (did you mean 'TRAIN'?); use TRAIN, EVAL or None");
  CHECK(refusal(kMode, "3") == "--param: '3' is not a mode; use TRAIN, EVAL or None");
}

TEST_CASE("a refusal shows hostile values harmlessly") {
  const std::string text = refusal(kShare, "<b>\n\x1b[31m\xff");
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\xff') == std::string::npos);
}

TEST_CASE("a rule runs with its defaults and what is set over them") {
  const std::vector<rules::Parameter> parameters = {kShare, kWindow, kMode};
  rules::ParameterValues values{parameters};
  CHECK(values.number("share") == 50);
  CHECK(values.count("window") == 500);
  CHECK(values.text("mode") == "None");
  values.set("share", "12.5");
  CHECK(values.number("share") == 12.5);
  CHECK(values.count("window") == 500);
}

TEST_CASE("the range of a parameter is told in words") {
  CHECK(rules::range_text(kShare) == "0 to 100");
  CHECK(rules::range_text(kWindow) == "1 to 100000");
  CHECK(rules::range_text(kMode) == "TRAIN, EVAL or None");
}

} // namespace test_parameter

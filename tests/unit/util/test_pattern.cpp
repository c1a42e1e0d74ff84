#include "util/pattern.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_pattern {

using debrief::Pattern;

namespace {

bool found(const char* pattern, const std::string& text) {
  const auto parsed = Pattern::parse(pattern);
  REQUIRE(parsed);
  return parsed->search(text);
}

} // namespace

TEST_CASE("patterns of SageMaker's rules find the names they mean") {
  CHECK(found(".*relu_output", "block1.relu_output_0"));
  CHECK_FALSE(found(".*relu_output", "block1.relu_input_0"));
  CHECK(found(".*tanh_input|.*sigmoid_input", "a.sigmoid_input_0"));
  CHECK(found("^(?!gradient).*weight", "Net_fc.weight"));
  CHECK_FALSE(found("^(?!gradient).*weight", "gradient/Net_fc.weight"));
  CHECK(found("[Ll]oss_(?!input).*output", "MSELoss_output_0"));
  CHECK_FALSE(found("[Ll]oss_(?!input).*output", "MSELoss_input_0"));
  CHECK(found("^[a-zA-z]+-.+(?<!(auc|map))$", "train-logloss"));
  CHECK_FALSE(found("^[a-zA-z]+-.+(?<!(auc|map))$", "validation-auc"));
}

TEST_CASE("classes, repetition, edges and case") {
  CHECK(found("^a{2,3}$", "aaa"));
  CHECK_FALSE(found("^a{2,3}$", "aaaa"));
  CHECK(found("^(ab|c)+$", "abcab"));
  CHECK(found("x{", "x{"));
  CHECK(found("[^/bias]$", "f0"));
  CHECK_FALSE(found("[^/bias]$", "pads"));
  CHECK(found("\\bfc\\d+\\b", "net fc12 x"));
  CHECK_FALSE(found("\\bfc\\d+\\b", "netfc12"));
  CHECK(found("(?i)LOSS", "my_loss"));
  CHECK(found("(?<=a)b", "ab"));
  CHECK_FALSE(found("(?<=a)b", "cb"));
  CHECK(found("a.*?c$", "abcabc"));
  CHECK(found("", "anything"));
  CHECK(found("[]a]", "]"));
}

TEST_CASE("what is no pattern is refused") {
  for (const char* text : {"(", ")", "[a", "*a", "a**", "\\", "(?<x", "(a)\\1", "[b-a]"}) {
    INFO(text);
    CHECK_FALSE(Pattern::parse(text));
  }
  CHECK_FALSE(Pattern::parse(std::string(100, '(') + std::string(100, ')')));
}

TEST_CASE("a pattern that would take forever ends without a match") {
  CHECK_FALSE(found("^(a+)+$", std::string(200, 'a') + "b"));
  CHECK_FALSE(found("(((a*)*)*)*b", std::string(5000, 'a')));
  CHECK_FALSE(found("^(()*)*x$", "yyyy"));
}

} // namespace test_pattern

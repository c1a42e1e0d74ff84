#include "ingest/block_reader.h"
#include "ingest/chrome_trace/tokens.h"

#include <catch2/catch_test_macros.hpp>
#include <simdjson.h>

#include <random>
#include <string>

namespace test_tokens {

using namespace debrief;
using ingest::chrome_trace::TokenCursor;
using ingest::chrome_trace::TokenIndex;

namespace {

using Found = TokenIndex::Found;

struct Tokens {
  Found found = Found::broken;
  std::string minified; ///< all tokens, one behind the other
};

Tokens tokens_of(const std::string& json, ingest::chrome_trace::TokenScanner scanner) {
  const std::string text = json + std::string(ingest::BlockReader::kPadding, '\0');
  TokenIndex index{scanner};
  Tokens out{index.find(std::string_view{text}.substr(0, json.size())), {}};
  if (out.found == Found::good)
    for (TokenCursor cursor = index.cursor(); cursor.at < cursor.end; ++cursor.at)
      out.minified += cursor.token();
  return out;
}

Found expected_of(simdjson::error_code error) {
  switch (error) {
  case simdjson::UTF8_ERROR:
    return Found::not_utf8;
  case simdjson::UNESCAPED_CHARS:
    return Found::control_character;
  case simdjson::UNCLOSED_STRING:
  case simdjson::EMPTY:
    return Found::broken;
  default:
    return Found::good; // what else is wrong with it only a parser sees
  }
}

/// Mostly the bytes that matter, in runs that cross the steps of the scan.
std::string random_text(std::mt19937& random) {
  static const std::string bytes = "{}[]:,\"\"\"\"\\\\\\ \n\taé0-1.e\x01\xff";
  std::string text;
  const std::size_t size = random() % 300;
  while (text.size() < size)
    text.append(random() % 4 == 0 ? random() % 70 : 1, bytes[random() % bytes.size()]);
  return text;
}

} // namespace

TEST_CASE("every scan finds what simdjson finds in whatever text") {
  std::mt19937 random{7}; // NOLINT(cert-msc51-cpp): the same texts each time
  simdjson::dom::parser parser;
  std::size_t good = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = random_text(random);
    const Found expected = expected_of(parser.parse(text).error());
    for (const auto scanner : ingest::chrome_trace::token_scanners()) {
      const Tokens tokens = tokens_of(text, scanner);
      CAPTURE(text);
      REQUIRE(tokens.found == expected);
      if (tokens.found != Found::good) continue;
      ++good;
      REQUIRE(tokens.minified ==
              tokens_of(text, ingest::chrome_trace::token_scanners().back()).minified);
    }
  }
  CHECK(good > 1000);
}

TEST_CASE("the tokens of a document are the document without its white space") {
  std::string json = "[";
  for (int i = 0; i < 200; ++i)
    json += std::string(static_cast<std::size_t>(i % 5), ' ') +
            R"({ "key\\" : "a \"quoted\" one\\\\", )" + "\n\"n\":" + std::to_string(i * 17) +
            R"(, "t" : [ true,null , -1.5e3 ], "é":"" } ,)";
  json += "0 ]";
  std::string minified(json.size(), '\0');
  std::size_t size = 0;
  REQUIRE(simdjson::minify(json.data(), json.size(), minified.data(), size) == simdjson::SUCCESS);
  minified.resize(size);
  for (const auto scanner : ingest::chrome_trace::token_scanners())
    CHECK(tokens_of(json, scanner).minified == minified);
}

} // namespace test_tokens

#include "expect.h"
#include "fuzz.h"
#include "ingest/chrome_trace/tokens.h"
#include "ingest/kineto/reader.h"

#include <simdjson.h>

#include <vector>

namespace {

using debrief::ingest::chrome_trace::TokenIndex;

/// What simdjson's own first stage would say.
TokenIndex::Found found_by_simdjson(const std::string& text) {
  simdjson::dom::parser parser;
  switch (parser.parse(text).error()) {
  case simdjson::UTF8_ERROR:
    return TokenIndex::Found::not_utf8;
  case simdjson::UNESCAPED_CHARS:
    return TokenIndex::Found::control_character;
  case simdjson::UNCLOSED_STRING:
  case simdjson::EMPTY:
    return TokenIndex::Found::broken;
  default:
    return TokenIndex::Found::good;
  }
}

/// Every way to find tokens finds the same.
void compare_tokens(const std::string& text) {
  const std::string padded = text + std::string(debrief::ingest::BlockReader::kPadding, '\0');
  const TokenIndex::Found expected = found_by_simdjson(text);
  std::vector<std::uint32_t> first;
  for (const auto scanner : debrief::ingest::chrome_trace::token_scanners()) {
    TokenIndex index{scanner};
    debrief::fuzz::expect(index.find(std::string_view{padded}.substr(0, text.size())) == expected,
                          "tokens are found where simdjson finds them");
    const auto cursor = index.cursor();
    const std::vector<std::uint32_t> places{cursor.at, cursor.end};
    if (first.empty()) first = places;
    debrief::fuzz::expect(places == first, "every scan finds the same tokens");
  }
}

} // namespace

/// Blocks of a few bytes, so that events cross their borders; one thread, so that a crash repeats.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  compare_tokens({data, data + size});
  const debrief::ingest::KinetoReader reader{{.block = 200, .threads = 1}};
  return debrief::fuzz::read_with(reader, "algo-1_605.1794700287797757440.pt.trace.json", data,
                                  size);
}

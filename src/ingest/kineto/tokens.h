// Where the tokens of a JSON text are, and a cursor that goes over them.
//
// simdjson's first stage finds, in one pass at the speed of memory, each bracket, comma and colon
// outside of texts and each start of a text, number or word. What follows here looks only there.
#pragma once

#include "ingest/event_walk.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace simdjson::internal {
class dom_parser_implementation;
}

namespace debrief::ingest::kineto {

/// Valid as long as the text and the TokenIndex it came from. The text is followed by a zero byte,
/// to which the place behind the last token refers, so that looking there is allowed.
struct TokenCursor {
  const char* text = nullptr;
  const std::uint32_t* at = nullptr;
  const std::uint32_t* end = nullptr;

  /// The token's first byte; zero behind the last.
  char peek() const { return text[*at]; }

  const char* here() const { return text + *at; }

  /// Goes on if the token is this one.
  bool pass(char token) {
    if (peek() != token) return false;
    ++at;
    return true;
  }

  /// The token's bytes, without the space behind it.
  std::string_view token() const {
    std::string_view bytes{here(), at[1] - at[0]};
    while (!bytes.empty() && is_json_space(bytes.back()))
      bytes.remove_suffix(1);
    return bytes;
  }

  /// Goes to the token behind the value at the cursor; false where there is none, or not all of
  /// one.
  bool skip_value();
};

class TokenIndex {
public:
  enum class Found {
    good,
    not_utf8,
    control_character, ///< in a text
    broken             ///< a text without an end, or no token at all
  };

  TokenIndex();
  ~TokenIndex();
  TokenIndex(const TokenIndex&) = delete;
  TokenIndex& operator=(const TokenIndex&) = delete;

  /// At least BlockReader::kPadding readable bytes, the first of them zero, follow the text.
  Found find(std::string_view text);

  /// Of the text that was last looked at and found good.
  TokenCursor cursor() const;

private:
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage1_;
  std::size_t capacity_ = 0;
  const char* text_ = nullptr;
};

} // namespace debrief::ingest::kineto

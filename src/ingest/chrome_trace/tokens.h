// Where the tokens of a JSON text are, and a cursor that goes over them.
//
// One pass over the text, 64 bytes at a time, finds each bracket, comma and colon outside of texts
// and each start of a text, number or word; it is the first stage of simdjson's method (Langdale
// and Lemire, "Parsing gigabytes of JSON per second"). What follows looks only there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace debrief::ingest::chrome_trace {

/// White space of JSON.
constexpr bool is_json_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

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

/// What a pass over a text found.
struct TokenScan {
  std::string_view text;
  std::uint32_t* places = nullptr; ///< with room for one for each byte, and 64 more
  std::size_t count = 0;
  bool open_text = false;       ///< the last text has no end
  bool control_in_text = false; ///< a control character inside of a text
  bool only_ascii = true;
};

/// The ways to make the pass that this processor has, the fastest first. All find the same.
using TokenScanner = void (*)(TokenScan&);
std::span<const TokenScanner> token_scanners();

class TokenIndex {
public:
  enum class Found {
    good,
    not_utf8,
    control_character, ///< in a text
    broken             ///< a text without an end, or no token at all
  };

  explicit TokenIndex(TokenScanner scanner = token_scanners().front())
      : scanner_(scanner) {}

  /// At least BlockReader::kPadding readable bytes, the first of them zero, follow the text, which
  /// has less than 4 GB.
  Found find(std::string_view text);

  /// Of the text that was last looked at and found good.
  TokenCursor cursor() const { return {text_, places_.get(), places_.get() + count_}; }

private:
  TokenScanner scanner_;
  std::unique_ptr<std::uint32_t[]> places_; ///< of tokens, and the text's end
  std::size_t capacity_ = 0;                ///< bytes of text that it is large enough for
  std::size_t count_ = 0;
  const char* text_ = nullptr;
};

} // namespace debrief::ingest::chrome_trace

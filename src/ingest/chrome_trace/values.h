// The values of an event, read from their bytes: most are short numbers or texts without escapes
// that need no more than a look.
#pragma once

#include "ingest/block_reader.h"
#include "ingest/chrome_trace/tokens.h"
#include "ingest/digits.h"
#include "ingest/same_bytes.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::chrome_trace {

/// The text that a JSON string stands for. `raw` is what stands between the quotes; nothing where
/// it has an escape that JSON does not know.
std::optional<std::string> unescape(std::string_view raw);

/// A number of microseconds with decimals ("3843481823120.371") as nanoseconds, exactly; nothing
/// where it is none or does not fit.
std::optional<Nanoseconds> parse_microseconds(std::string_view text);

/// A key as it stands in the file, behind its first quote; nobody escapes one.
class Key {
public:
  explicit Key(const char* text)
      : text_(text) {}

  char first() const { return *text_; }

  /// The file's padding lets it look behind the key.
  template <std::size_t size>
  bool is(const char (&name)[size]) const {
    static_assert(size <= BlockReader::kPadding);
    return same_bytes<size - 1>(text_, name) && text_[size - 1] == '"';
  }

private:
  const char* text_;
};

/// Goes over the members of the object at the cursor; `member` reads the value behind a key. False
/// where the JSON is broken.
template <typename Member>
bool read_members(TokenCursor& cursor, const Member& member) {
  if (!cursor.pass('{')) return false;
  if (cursor.pass('}')) return true;
  for (;;) {
    const Key key{cursor.here() + 1};
    if (!cursor.pass('"') || !cursor.pass(':') || !member(key)) return false;
    if (cursor.pass('}')) return true;
    if (!cursor.pass(',')) return false;
  }
}

/// A process or thread id: a number, or a text such as "Spans" or "stream 7".
struct Id {
  std::optional<std::int64_t> number;
  std::string_view text;
};

/// Bits of what was wrong with an event's values and could be read around.
inline constexpr std::uint8_t kNotANumber = 1;   ///< NaN or Infinity, not JSON's: taken as absent
inline constexpr std::uint8_t kBrokenEscape = 2; ///< an escape that JSON does not have: kept as is

/// All readers take the value at the cursor and go behind it. They leave `into` as it is where the
/// value is of another type or does not fit, and return false only where it is no JSON at all.
class ValueReader {
public:
  /// Texts that have escapes are kept in `unescaped`; troubles that were read around are set in
  /// `repaired`.
  ValueReader(TokenCursor& cursor, std::forward_list<std::string>& unescaped,
              std::uint8_t& repaired)
      : cursor_(cursor)
      , unescaped_(unescaped)
      , repaired_(repaired) {}

  /// An integer, or a text that holds one.
  bool integer(std::optional<std::int64_t>& into) {
    std::int64_t plain = 0;
    if (!plain_integer(plain)) return other_integer(into);
    into = plain;
    return true;
  }

  bool integer(std::int64_t& into);
  bool small(std::int32_t& into); ///< from 0 on
  bool address(std::uint64_t& into);
  bool number(float& into);
  bool number(double& into);

  bool number(std::optional<double>& into) {
    std::int64_t plain = 0;
    if (!plain_integer(plain)) return other_number(into);
    into = static_cast<double>(plain);
    return true;
  }

  bool flag(std::optional<bool>& into);
  bool time(std::optional<Nanoseconds>& into);

  bool text(std::string_view& into) {
    return (cursor_.peek() == '"' && plain_text(into)) || other_text(into);
  }

  bool id(Id& into);
  bool array_text(std::string_view& into); ///< as it stands in the file
  bool three(std::array<std::int32_t, 3>& into);

  bool skip() { return cursor_.skip_value(); }

private:
  enum class Type { number, text, other, broken };

  /// Behind a number.
  static bool ends_token(char c) { return c == ',' || c == '}' || c == ']' || is_json_space(c); }

  /// Takes the number at the cursor if it is plainly an integer, as nearly all are; else nothing.
  bool plain_integer(std::int64_t& into) {
    std::int64_t number = 0;
    const char* const end = take_integer(cursor_.here(), number);
    if (end == nullptr || !ends_token(*end)) return false;
    into = number;
    ++cursor_.at;
    return true;
  }

  /// The same for a text without escapes. There is a quote at the cursor.
  bool plain_text(std::string_view& into) {
    const char* const first = cursor_.here() + 1;
    const char* last = cursor_.text + cursor_.at[1];
    while (is_json_space(last[-1]))
      --last;
    if (last <= first || last[-1] != '"') return false;
    const std::string_view raw{first, static_cast<std::size_t>(last - 1 - first)};
    if (raw.find('\\') != raw.npos) return false;
    into = raw;
    ++cursor_.at;
    return true;
  }

  bool other_integer(std::optional<std::int64_t>& into);
  bool other_number(std::optional<double>& into);
  bool other_text(std::string_view& into);
  Type take(std::string_view& token);
  bool plain_time(Nanoseconds& into);
  void unescape_into(std::string_view raw, std::string_view& into);

  TokenCursor& cursor_;
  std::forward_list<std::string>& unescaped_;
  std::uint8_t& repaired_;
};

} // namespace debrief::ingest::chrome_trace

// The values of an event, read from their bytes: most are short numbers or texts without escapes
// that need no more than a look.
#pragma once

#include "ingest/kineto/tokens.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::kineto {

/// A process or thread id: a number, or a text such as "Spans" or "stream 7".
struct Id {
  std::optional<std::int64_t> number;
  std::string_view text;
};

/// What was wrong with an event's values and could be read around; bits.
enum RepairedBits : std::uint8_t {
  kNotANumber = 1,  ///< NaN or Infinity, which JSON does not have: taken as absent
  kBrokenEscape = 2 ///< a text with an escape that JSON does not have: kept as it stands
};

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
  bool integer(std::optional<std::int64_t>& into);
  bool integer(std::int64_t& into);
  bool small(std::int32_t& into); ///< from 0 on
  bool address(std::uint64_t& into);
  bool number(float& into);
  bool number(double& into);
  bool time(std::optional<Nanoseconds>& into);
  bool text(std::string_view& into);
  bool id(Id& into);
  bool array_text(std::string_view& into); ///< as it stands in the file
  bool three(std::array<std::int32_t, 3>& into);

  bool skip() { return cursor_.skip_value(); }

private:
  enum class Type { number, text, other, broken };

  Type take(std::string_view& token);
  bool plain_integer(std::int64_t& into);
  bool plain_time(Nanoseconds& into);
  void unescape_into(std::string_view raw, std::string_view& into);

  TokenCursor& cursor_;
  std::forward_list<std::string>& unescaped_;
  std::uint8_t& repaired_;
};

/// A number of microseconds with decimals ("3843481823120.371") as nanoseconds, exactly; nothing
/// where it is none or does not fit.
std::optional<Nanoseconds> parse_microseconds(std::string_view text);

} // namespace debrief::ingest::kineto

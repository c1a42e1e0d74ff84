#include "ingest/chrome_trace/values.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace debrief::ingest::chrome_trace {

namespace {

/// The integer that `text` starts with, if nothing but a fraction follows it ("68.0").
template <typename Integer>
std::optional<Integer> integer_in(std::string_view text) {
  Integer integer = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, integer);
  if (error != std::errc{}) return std::nullopt;
  if (stop != end && *stop != '.' && *stop != 'e' && *stop != 'E') return std::nullopt;
  return integer;
}

std::optional<std::uint32_t> hex4(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return std::nullopt;
  std::uint32_t value = 0;
  const char* const end = raw.data() + at + 4;
  const auto [stop, error] = std::from_chars(raw.data() + at, end, value, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

/// The character whose four digits start at `at`, which moves behind them, or behind both halves of
/// a pair; nothing for half of a pair.
std::optional<std::uint32_t> code_point(std::string_view raw, std::size_t& at) {
  const auto first = hex4(raw, at);
  if (!first) return std::nullopt;
  at += 4;
  if (*first < 0xD800 || *first > 0xDFFF) return first;
  if (*first > 0xDBFF || raw.substr(at, 2) != "\\u") return std::nullopt;
  const auto second = hex4(raw, at + 2);
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return std::nullopt;
  at += 6;
  return 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00);
}

char simple_escape(char letter) {
  switch (letter) {
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case '"':
  case '\\':
  case '/':
    return letter;
  default:
    return '\0';
  }
}

} // namespace

std::optional<std::string> unescape(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] != '\\') {
      out += raw[at++];
      continue;
    }
    if (at + 1 >= raw.size()) return std::nullopt;
    const char letter = raw[at + 1];
    at += 2;
    if (letter == 'u') {
      const auto code = code_point(raw, at);
      if (!code) return std::nullopt;
      append_utf8(out, *code);
    } else if (const char plain = simple_escape(letter); plain != '\0') {
      out += plain;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::optional<Nanoseconds> parse_microseconds(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::int64_t value = 0;
  const char* const digits = at;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    if (value >= INT64_MAX / 10'000) return std::nullopt; // in nanoseconds it would not fit
    value = value * 10 + (*at - '0');
  }
  if (at == digits) return std::nullopt;
  value *= 1000;
  if (at != end && *at == '.') {
    std::int64_t scale = 100;
    for (++at; at != end && *at >= '0' && *at <= '9'; ++at, scale /= 10)
      value += scale * (*at - '0');
  }
  if (at != end &&
      (*at == 'e' || *at == 'E')) { // no recorder writes it so; to the precision of a double
    double number = 0;
    if (std::from_chars(text.data(), end, number).ec != std::errc{}) return std::nullopt;
    if (!(std::abs(number) < 9e15)) return std::nullopt;
    return Nanoseconds{std::llround(number * 1000)};
  }
  if (at != end) return std::nullopt;
  return Nanoseconds{negative ? -value : value};
}

/// Takes the number at the cursor if it is plainly one of microseconds with up to three decimals.
bool ValueReader::plain_time(Nanoseconds& into) {
  constexpr int kMaxDigits = 15; // of whole microseconds whose nanoseconds surely fit
  constexpr std::array<std::int64_t, 4> kScales = {1000, 100, 10, 1};
  const char* const digits = cursor_.here();
  std::uint64_t number = 0;
  const char* end = take_digits(digits, kMaxDigits, number);
  if (end == digits) return false;
  std::size_t decimals = 0;
  if (*end == '.') {
    const char* const fraction = end + 1;
    end = take_digits(fraction, 3, number);
    decimals = static_cast<std::size_t>(end - fraction);
  }
  if (!ends_token(*end)) return false;
  into = Nanoseconds{static_cast<std::int64_t>(number) * kScales[decimals]};
  ++cursor_.at;
  return true;
}

/// What the value is by its first byte; `token` becomes its bytes, without the quotes of a text.
ValueReader::Type ValueReader::take(std::string_view& token) {
  switch (cursor_.peek()) {
  case '{':
  case '[':
    return cursor_.skip_value() ? Type::other : Type::broken;
  case '}':
  case ']':
  case ',':
  case ':':
  case '\0':
    return Type::broken;
  default:
    break;
  }
  token = cursor_.token();
  ++cursor_.at;
  switch (token.front()) {
  case '"':
    if (token.size() < 2 || token.back() != '"') return Type::broken;
    token = token.substr(1, token.size() - 2);
    return Type::text;
  case '-':
    if (token != "-Infinity") return Type::number;
    repaired_ |= kNotANumber;
    return Type::other;
  case 'N':
  case 'I':
    if (token != "NaN" && token != "Infinity") return Type::broken;
    repaired_ |= kNotANumber;
    return Type::other;
  case 't':
    return token == "true" ? Type::other : Type::broken;
  case 'f':
    return token == "false" ? Type::other : Type::broken;
  case 'n':
    return token == "null" ? Type::other : Type::broken;
  default:
    return token.front() >= '0' && token.front() <= '9' ? Type::number : Type::broken;
  }
}

bool ValueReader::other_integer(std::optional<std::int64_t>& into) {
  std::string_view token;
  const Type type = take(token);
  if (type == Type::number || type == Type::text)
    if (const auto number = integer_in<std::int64_t>(token)) into = number;
  return type != Type::broken;
}

bool ValueReader::integer(std::int64_t& into) {
  if (plain_integer(into)) return true;
  std::optional<std::int64_t> number;
  if (!integer(number)) return false;
  if (number) into = *number;
  return true;
}

bool ValueReader::small(std::int32_t& into) {
  std::optional<std::int64_t> number;
  if (!integer(number)) return false;
  if (number && *number >= 0 && *number <= INT32_MAX) into = static_cast<std::int32_t>(*number);
  return true;
}

bool ValueReader::address(std::uint64_t& into) {
  std::string_view token;
  const Type type = take(token);
  if (type == Type::number)
    if (const auto number = integer_in<std::uint64_t>(token)) into = *number;
  return type != Type::broken;
}

bool ValueReader::other_number(std::optional<double>& into) {
  std::string_view token;
  const Type type = take(token);
  if (type == Type::number) {
    double number = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, number);
    if (error == std::errc{} && stop == end && std::isfinite(number)) into = number;
  }
  return type != Type::broken;
}

bool ValueReader::number(double& into) {
  std::optional<double> found;
  if (!number(found)) return false;
  if (found) into = *found;
  return true;
}

bool ValueReader::number(float& into) {
  double found = into;
  if (!number(found)) return false;
  into = static_cast<float>(found);
  return true;
}

bool ValueReader::flag(std::optional<bool>& into) {
  const char first = cursor_.peek();
  std::string_view token;
  const Type type = take(token);
  if (type == Type::other && (first == 't' || first == 'f')) into = first == 't';
  return type != Type::broken;
}

bool ValueReader::time(std::optional<Nanoseconds>& into) {
  if (Nanoseconds plain{}; plain_time(plain)) {
    into = plain;
    return true;
  }
  std::string_view token;
  const Type type = take(token);
  if (type == Type::number || type == Type::text) into = parse_microseconds(token);
  return type != Type::broken;
}

bool ValueReader::other_text(std::string_view& into) {
  std::string_view token;
  const Type type = take(token);
  if (type == Type::text) unescape_into(token, into);
  return type != Type::broken;
}

void ValueReader::unescape_into(std::string_view raw, std::string_view& into) {
  into = raw;
  if (std::memchr(raw.data(), '\\', raw.size()) == nullptr) return;
  if (auto text = unescape(raw))
    into = unescaped_.emplace_front(std::move(*text));
  else
    repaired_ |= kBrokenEscape;
}

bool ValueReader::id(Id& into) {
  return cursor_.peek() == '"' ? text(into.text) : integer(into.number);
}

bool ValueReader::array_text(std::string_view& into) {
  const char* const start = cursor_.here();
  if (!cursor_.skip_value()) return false;
  if (*start == '[') // the token before the cursor is its closing bracket
    into = {start, static_cast<std::size_t>(cursor_.text + cursor_.at[-1] + 1 - start)};
  return true;
}

bool ValueReader::three(std::array<std::int32_t, 3>& into) {
  if (cursor_.peek() != '[') return cursor_.skip_value();
  ++cursor_.at;
  if (cursor_.pass(']')) return true;
  std::int32_t ignored = 0;
  for (std::size_t count = 0;; ++count) {
    if (!small(count < into.size() ? into[count] : ignored)) return false;
    if (cursor_.pass(']')) return true;
    if (!cursor_.pass(',')) return false;
  }
}

} // namespace debrief::ingest::chrome_trace

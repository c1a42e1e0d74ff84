#include "ingest/kineto/unescape.h"

#include <charconv>
#include <cstdint>

namespace debrief::ingest::kineto {

namespace {

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

} // namespace debrief::ingest::kineto

#include "render/markdown_text.h"

#include "util/text.h"

namespace debrief::render {

namespace {

/// What a backslash takes the meaning from, by CommonMark; `<`, `>`, `&` and `@` are written as
/// entities, since not every renderer obeys the backslash before them.
constexpr std::string_view kEscaped = "\\`*_{}[]()#+-!|~^$";

std::string_view entity_of(char character) {
  switch (character) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  case '@': // a mention
    return "&#64;";
  case ':': // http://…, which is linked without any mark; and :emoji:
    return "&#58;";
  default:
    return {};
  }
}

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

/// "www.example.com" is linked without any mark; "1.5" is not, and reads better as it is.
bool ends_word(std::string_view text, std::size_t at) {
  return at == 0 || at + 1 == text.size() || !is_digit(text[at - 1]) || !is_digit(text[at + 1]);
}

/// A hyphen within a word is no list and no rule.
bool is_within_word(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && text[at - 1] != '-' && text[at + 1] != '-' &&
         text[at - 1] != ' ' && text[at + 1] != ' ';
}

} // namespace

std::string markdown_text(std::string_view untrusted) {
  const std::string text = printable(untrusted);
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char character = text[at];
    if (const std::string_view entity = entity_of(character); !entity.empty())
      out += entity;
    else if (character == '-' && is_within_word(text, at))
      out += character;
    else if (character == '.' && ends_word(text, at))
      out += "\\.";
    else if (kEscaped.find(character) != kEscaped.npos)
      (out += '\\') += character;
    else
      out += character;
  }
  return out;
}

} // namespace debrief::render

#include "render/documents/markdown_text.h"

#include "util/text.h"

namespace debrief::render {

namespace {

bool is_word(char character) {
  return is_digit(character) || (character >= 'a' && character <= 'z') ||
         (character >= 'A' && character <= 'Z') || character == '_';
}

/// One character among its neighbors; '\0' before the first and after the last.
struct Place {
  char before = 0;
  char character = 0;
  char after = 0;
  bool only_digits_before = true; ///< "1. text" would begin a list

  bool is_within_word() const {
    return before != 0 && after != 0 && before != ' ' && after != ' ' && before != character &&
           after != character;
  }
};

/// Sites look for mentions and references in what Markdown has become, where a backslash is gone:
/// only a character between mark and name keeps them from it.
constexpr std::string_view kNoReference = "&#8203;";

std::string escaped(const Place& place) {
  std::string plain(1, place.character);
  switch (place.character) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  case '@':
    return plain + std::string{kNoReference};
  case '!': // GitLab's merge requests and milestones
  case '%':
    return plain + std::string{is_word(place.after) ? kNoReference : ""};
  case '#':
    return "\\#" + std::string{is_word(place.after) ? kNoReference : ""};
  case ':': // "http://a" becomes a link without any mark, ":a:" a picture; "aten::copy" neither
    return place.after == 0 || place.after == ' ' || place.after == ':' || place.before == ':'
               ? plain
               : "&#58;";
  case '.': // so does "www.a"; "1. a" begins a list
    return place.before == 'w' || place.before == 'W' ||
                   (place.only_digits_before && place.after == ' ')
               ? "\\."
               : plain;
  case '-':
    if ((place.before == 'H' || place.before == 'h') && is_digit(place.after)) // "GH-12"
      return plain + std::string{kNoReference};
    [[fallthrough]];
  case '+':
  case '=':
    return place.is_within_word() ? plain : "\\" + plain;
  case '\\':
  case '`':
  case '*':
  case '_':
  case '[':
  case ']':
  case '|':
  case '~':
  case '$':
    return "\\" + plain;
  default:
    return plain;
  }
}

/// A name can be of any length, a summary cannot.
constexpr std::size_t kMarkdownTextMaxLength = 500; ///< characters

std::string cut(std::string text) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins_character = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (begins_character && characters++ == kMarkdownTextMaxLength) return text.substr(0, at) + "…";
  }
  return text;
}

} // namespace

std::string markdown_text(std::string_view untrusted) {
  const std::string text = cut(printable(untrusted));
  std::string out;
  Place place;
  for (std::size_t at = 0; at < text.size(); ++at) {
    place.character = text[at];
    place.after = at + 1 < text.size() ? text[at + 1] : '\0';
    out += escaped(place);
    place.only_digits_before = place.only_digits_before && is_digit(place.character);
    place.before = place.character;
  }
  return out;
}

} // namespace debrief::render

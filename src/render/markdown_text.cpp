#include "render/markdown.h"
#include "util/text.h"

#include <cctype>

namespace debrief::render {

namespace {

constexpr std::string_view kMarkup = "\\`*_[]<>|~&#!$";
constexpr std::string_view kReferences = "@#!~%$&:^"; ///< before a word: mentions, issues, labels
constexpr std::string_view kWordJoiner = "\u2060";
constexpr std::size_t kLongest = 500;

bool is_word(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return std::isalnum(byte) != 0 || character == '_' || byte >= 0x80;
}

char lower(char character) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
}

/// Whether the text before `at` ends with a word, whatever its case.
bool ends_with(std::string_view text, std::size_t at, std::string_view word) {
  if (at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(text[at - word.size() + i]) != word[i]) return false;
  return true;
}

/// Whether a site could link what lies at both sides of `at`.
bool is_joint(std::string_view text, std::size_t at) {
  const char before = text[at - 1];
  const char after = text[at];
  if (kReferences.find(before) != std::string_view::npos && (is_word(after) || after == '"'))
    return true;
  if (before == ':' && (after == '/' || after == '+' || after == '-')) return true;
  if (after == '.' && ends_with(text, at, "www")) return true;
  return is_word(after) && ends_with(text, at, "gh-");
}

std::string cut(std::string text) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins_character = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (begins_character && characters++ == kLongest) return text.substr(0, at) + "…";
  }
  return text;
}

} // namespace

std::string markdown_text(std::string_view text) {
  const std::string plain = cut(printable(text));
  std::string out;
  for (std::size_t at = 0; at < plain.size(); ++at) {
    if (at > 0 && is_joint(plain, at)) out += kWordJoiner;
    if (kMarkup.find(plain[at]) != std::string_view::npos) out += '\\';
    out += plain[at];
  }
  return out;
}

} // namespace debrief::render

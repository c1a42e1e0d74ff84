#include "chart/words.h"

#include "chart/svg.h"

namespace debrief::chart {

namespace {

constexpr std::string_view kCut = "…";
constexpr std::size_t kMaxTipNameBytes = 160;

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// Of one character, by its first byte, in parts of the font's size.
double character_width(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0xE3) return 1.0; // Chinese, Japanese, Korean and pictures
  if (first == 'i' || first == 'l' || first == 'j' || first == '.' || first == ',' ||
      first == ':' || first == ' ' || first == '\'' || first == '|')
    return 0.3;
  if (first == 'm' || first == 'w' || first == 'M' || first == 'W' || first == '%') return 0.9;
  if (first >= 'A' && first <= 'Z') return 0.72;
  return 0.58;
}

} // namespace

double text_width(std::string_view words, double size) {
  double width = 0;
  for (const char byte : words)
    if (begins_character(byte)) width += character_width(byte);
  return width * size;
}

std::string fitted(std::string_view words, double width, double size) {
  constexpr std::size_t kMinCount = 3;
  const double cut_width = size; // of "…"
  double used = 0;
  std::size_t characters = 0;
  std::size_t end = 0;       // of what fits beside "…"
  std::size_t end_count = 0; // in characters
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (!begins_character(words[at])) continue;
    if (used + cut_width <= width) {
      end = at;
      end_count = characters;
    }
    used += character_width(words[at]) * size;
    ++characters;
    if (used > width)
      return end_count < kMinCount ? std::string{}
                                   : std::string{words.substr(0, end)} + std::string{kCut};
  }
  return std::string{words};
}

std::string shortened(std::string_view words, std::size_t characters) {
  std::size_t seen = 0;
  for (std::size_t at = 0; at < words.size(); ++at)
    if (begins_character(words[at]) && seen++ == characters)
      return std::string{words.substr(0, at)} + std::string{kCut};
  return std::string{words};
}

std::string tip_name(std::string_view name) {
  return shortened(name, kMaxTipNameBytes);
}

std::string amount(double count, std::string_view singular) {
  return number(count) + ' ' + std::string{singular} + (count == 1 ? "" : "s");
}

} // namespace debrief::chart

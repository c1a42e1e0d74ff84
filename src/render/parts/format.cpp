#include "render/parts/format.h"

#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

namespace debrief::render {

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > 3 + sign;) {
    at -= 3;
    digits.insert(at, "\u202F");
  }
  return digits;
}

std::string two_decimals(double value) {
  return fmt::format("{:.2f}", value);
}

std::string two_decimals(const std::optional<double>& value) {
  return value ? two_decimals(*value) : std::string{kUnknown};
}

std::string duration(const std::optional<double>& seconds) {
  return seconds ? to_human_duration(*seconds) : std::string{kUnknown};
}

std::string plural(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string capitalized(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string truncate(std::string_view name) {
  constexpr std::size_t kMaxLength = 60;
  std::string text = printable(name);
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins_character = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (begins_character && characters++ == kMaxLength) return text.substr(0, at) + "…";
  }
  return text;
}

std::string join_and(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at > 0) out += at + 1 == words.size() ? " and " : ", ";
    out += words[at];
  }
  return out;
}

std::string in_unit(double value, std::string_view unit) {
  if (unit == "B/s") return to_human_bytes(value);
  return two_decimals(value);
}

std::string keep_units_together(std::string_view sentence) {
  std::string out;
  for (std::size_t at = 0; at < sentence.size(); ++at)
    if (sentence.substr(at, 2) == " %")
      out += "\u00A0";
    else
      out += sentence[at];
  return out;
}

std::string device_name(const std::string& node, const std::string& device) {
  return printable(device) + " of " + printable(node);
}

} // namespace debrief::render

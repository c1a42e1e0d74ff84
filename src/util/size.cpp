#include "util/size.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace debrief {

std::optional<std::uint64_t> parse_size(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  std::string unit;
  for (const char c : text.substr(static_cast<std::size_t>(end - text.data())))
    if (c != ' ' || !unit.empty())
      unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unit == "kb")
    number *= 1e3;
  else if (unit == "mb")
    number *= 1e6;
  else if (unit == "gb")
    number *= 1e9;
  else if (!unit.empty() && unit != "b")
    return std::nullopt;
  if (!(number >= 1) || number > 1e15) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(number));
}

} // namespace debrief

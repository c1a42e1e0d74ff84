#include "util/duration_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace debrief {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || !(number > 0) || number > 1e9) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  double factor = 0;
  if (unit.empty() || unit == "ms") factor = 1;
  if (unit == "s") factor = 1000;
  if (unit == "min") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  if (factor == 0) return std::nullopt;
  return std::chrono::milliseconds{static_cast<std::int64_t>(std::llround(number * factor))};
}

} // namespace debrief

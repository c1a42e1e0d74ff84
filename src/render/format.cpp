#include "render/format.h"

#include "util/text.h"

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

std::string in_unit(double value, std::string_view unit) {
  if (unit == "B/s") return to_human_bytes(value);
  return two_decimals(value);
}

} // namespace debrief::render

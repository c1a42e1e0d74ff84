#include "ingest/trackers/json_number.h"

#include <charconv>
#include <limits>

namespace debrief::ingest::trackers {

std::optional<double> json_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool digits = (text.front() >= '0' && text.front() <= '9') ||
                      (text.front() == '-' && text.size() > 1 && text[1] != 'I');
  if (digits) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return std::nullopt;
    // Beyond what a double holds: too large, or as good as 0.
    if (error == std::errc::result_out_of_range) return std::nullopt;
    return error == std::errc{} ? std::optional{value} : std::nullopt;
  }
  if (text.size() > 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

} // namespace debrief::ingest::trackers

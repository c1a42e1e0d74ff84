#include "ingest/trackers/json_number.h"

#include "ingest/plain_number.h"

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

std::optional<double> padded_json_number(std::string_view text) {
  double value = 0;
  if (!text.empty() && read_plain_number(text.data(), value) == text.data() + text.size())
    return value;
  return json_number(text);
}

} // namespace debrief::ingest::trackers

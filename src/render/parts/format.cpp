#include "render/parts/format.h"

#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>

namespace debrief::render {

std::string grouped(std::int64_t number) {
  return count_text(number);
}

std::string two_decimals(double value) {
  return fmt::format("{:.2f}", value);
}

std::string two_decimals(const std::optional<double>& value) {
  return value ? two_decimals(*value) : std::string{kUnknown};
}

std::string scalar_text(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return std::string{kUnknown};
  if (size == 0) return "0";
  std::string text;
  if (size >= 1e7 || size < 1e-4) {
    text = fmt::format("{:.3e}", size); // "5.000e-05"
    const std::size_t at = text.find('e');
    const int exponent = std::stoi(text.substr(at + 1));
    std::string digits = text.substr(0, at);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    text = fmt::format("{}e{}", digits, exponent);
  } else {
    text = size >= 999.95 ? count_text(std::llround(size)) : fmt::format("{:#.4g}", size);
  }
  return value < 0 ? "−" + text : text;
}

std::string duration(const std::optional<double>& seconds) {
  return seconds ? to_human_duration(*seconds) : std::string{kUnknown};
}

std::string step_words(std::int64_t step) {
  return "step " + grouped(step);
}

std::string plural(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string capitalized(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string lowered(std::string text) {
  if (text.starts_with("Python")) return text; // a name
  const bool word = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
  if (word && text.front() >= 'A' && text.front() <= 'Z')
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

std::string date_text(Microseconds time) {
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_time<std::chrono::microseconds> moment{std::chrono::microseconds{time}};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{moment - day};
  return fmt::format("{}\u00A0{},\u00A0{},\u00A0{:02}:{:02}\u00A0UTC",
                     kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<unsigned>(date.day()), static_cast<int>(date.year()),
                     clock.hours().count(), clock.minutes().count());
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

namespace {

/// Whether a unit begins here, and nothing of a longer word.
bool begins_with_unit(std::string_view text) {
  constexpr std::array<std::string_view, 27> kUnits = {
      "%",       "ms",      "µs",   "ns",  "s",         "min",         "h",
      "d",       "B",       "kB",   "MB",  "GB",        "TB",          "B/s",
      "kB/s",    "MB/s",    "GB/s", "×",   "GPU-hours", "GPU-minutes", "GPU-seconds",
      "TFLOP/s", "GFLOP/s", "TB/s", "USD", "W",         "°C"};
  return std::any_of(kUnits.begin(), kUnits.end(), [&](std::string_view unit) {
    if (!text.starts_with(unit)) return false;
    if (text.size() == unit.size()) return true;
    const char next = text[unit.size()];
    const bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                        is_digit(next) || next == '_' || next == '/' || next == '-';
    return !letter;
  });
}

} // namespace

std::string keep_units_together(std::string_view sentence) {
  std::string out;
  for (std::size_t at = 0; at < sentence.size(); ++at)
    if (sentence[at] == ' ' && at > 0 && is_digit(sentence[at - 1]) &&
        begins_with_unit(sentence.substr(at + 1)))
      out += "\u00A0";
    else
      out += sentence[at];
  return out;
}

std::string device_name(const std::string& node, const std::string& device) {
  return printable(device) + " of " + printable(node);
}

} // namespace debrief::render

#include "util/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace debrief {

namespace {

/// Commas between thousands of the digits before the point.
std::string with_commas(std::string digits) {
  const std::size_t sign = !digits.empty() && digits.front() == '-' ? 1 : 0;
  const std::size_t point = digits.find('.');
  for (std::size_t at = point == digits.npos ? digits.size() : point; at > 3 + sign;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

} // namespace

std::string percent_text(double value) {
  const bool nearly_all = value >= 99.5 && value < 100;
  if (std::abs(value) < 9.95 || nearly_all) return exact_percent_text(value);
  return fmt::format("{:.0f}%", value);
}

std::string exact_percent_text(double value) {
  if (value == 0) return "0%";
  if (value > 0 && value < 0.05) return "<0.1%";
  if (value >= 99.95 && value < 100) return ">99.9%";
  return fmt::format("{:.1f}%", value);
}

std::string count_text(std::int64_t number) {
  return with_commas(fmt::format("{}", number));
}

std::string short_number_text(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return "–";
  if (size >= 99.95) return with_commas(fmt::format("{:.0f}", value));
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995) return fmt::format("{:.2f}", value);
  if (size >= 0.09995) return fmt::format("{:.3f}", value);
  if (size >= 0.0005) return fmt::format("{:.4f}", value);
  return size > 0 ? "<0.001" : "0";
}

std::string device_time_text(double seconds, const char* whose) {
  const auto in = [&](double value, const char* unit) {
    const std::string text =
        value >= 99.95 ? with_commas(fmt::format("{:.0f}", value)) : fmt::format("{:.1f}", value);
    return fmt::format("{} {}-{}", text, whose, unit);
  };
  if (seconds >= 3600) return in(seconds / 3600, "hours");
  if (seconds >= 60) return in(seconds / 60, "minutes");
  if (seconds >= 0.95 || seconds == 0) return in(seconds, "seconds");
  return in(1000 * seconds, "milliseconds");
}

std::string money_text(double money) {
  if (money > 0 && money < 0.005) return "<$0.01";
  return '$' + with_commas(fmt::format("{:.2f}", money));
}

} // namespace debrief

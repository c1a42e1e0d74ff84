#include "util/time.h"

#include <date/date.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <sstream>

namespace debrief {

namespace {

using TimePoint = date::sys_time<std::chrono::microseconds>;

TimePoint to_time_point(Microseconds time) {
  return TimePoint{std::chrono::microseconds{time}};
}

std::string format_utc(Microseconds time, std::string_view before_fraction, std::string_view end) {
  const TimePoint point = to_time_point(time);
  const auto day = date::floor<date::days>(point);
  const date::year_month_day ymd{day};
  const date::hh_mm_ss<std::chrono::microseconds> clock{point - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{:06}{}", static_cast<int>(ymd.year()),
                     static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     before_fraction, clock.subseconds().count(), end);
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Microseconds> parse_with(const std::string& text, const char* pattern) {
  std::istringstream in{text};
  TimePoint point;
  in >> date::parse(pattern, point);
  if (in.fail() || in.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return point.time_since_epoch().count();
}

} // namespace

std::optional<Microseconds> from_seconds(double seconds) {
  const double scaled = seconds * 1e6;
  // 9.2e18 is just inside int64; NaN fails both comparisons.
  if (!(scaled > -9.2e18 && scaled < 9.2e18)) return std::nullopt;
  return std::llround(scaled);
}

std::string to_iso8601(Microseconds time) {
  return format_utc(time, ".", "Z");
}

std::string to_smdebug_text(Microseconds time) {
  return format_utc(time, ":", "");
}

std::string to_readable_time(Microseconds time) {
  std::string text = to_iso8601(time).substr(0, 19); // up to the seconds
  text[10] = ' ';
  return text + " UTC";
}

std::optional<Microseconds> parse_time(std::string_view text) {
  if (const auto seconds = parse_number(text)) return from_seconds(*seconds);
  const std::string copy{text};
  // %S takes fractions because the time point is in microseconds; %Ez takes "+01:00", %z "+0100".
  constexpr std::array kPatterns = {"%FT%TZ",   "%FT%T%Ez", "%FT%T%z",   "%FT%T", "%F %TZ",
                                    "%F %T%Ez", "%F %T%z",  "%F %T %Ez", "%F %T", "%F"};
  for (const char* pattern : kPatterns)
    if (const auto time = parse_with(copy, pattern)) return time;
  return std::nullopt;
}

std::string to_human_duration(double seconds) {
  if (seconds < 0) return "-" + to_human_duration(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 0.0009995) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  const auto whole = std::llround(seconds);
  const auto minutes = whole / 60;
  if (minutes < 60) return fmt::format("{} min {} s", minutes, whole % 60);
  const auto hours = minutes / 60;
  if (hours < 24) return fmt::format("{} h {} min", hours, minutes % 60);
  return fmt::format("{} d {} h", hours / 24, hours % 24);
}

} // namespace debrief

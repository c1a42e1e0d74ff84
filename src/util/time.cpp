#include "util/time.h"

#include <date/date.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

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

/// Reads a text from its beginning on; what is read is gone from it.
class IsoText {
public:
  explicit IsoText(std::string_view text)
      : text_(text) {}

  bool empty() const { return text_.empty(); }

  bool skip(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// So many digits; nothing where it has fewer, or they make more than `most`.
  std::optional<int> number(std::size_t digits, int most) {
    int value = 0;
    const char* start = text_.data();
    const char* end = start + std::min(digits, text_.size());
    const auto [after, error] = std::from_chars(start, end, value);
    if (error != std::errc{} || *start == '-' || after != start + digits || value > most)
      return std::nullopt;
    text_.remove_prefix(digits);
    return value;
  }

  /// What stands after the seconds; digits beyond the sixth are cut off.
  Microseconds fraction() {
    Microseconds out = 0;
    Microseconds worth = kSecond;
    for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; text_.remove_prefix(1))
      out += (text_[0] - '0') * (worth /= 10);
    return out;
  }

private:
  std::string_view text_;
};

/// "2026-11-14" in microseconds.
std::optional<Microseconds> take_day(IsoText& text) {
  const auto year = text.number(4, 9999);
  if (!year || !text.skip('-')) return std::nullopt;
  const auto month = text.number(2, 12);
  if (!month || !text.skip('-')) return std::nullopt;
  const auto day = text.number(2, 31);
  if (!day) return std::nullopt;
  const auto date = date::year{*year} / *month / *day;
  if (!date.ok()) return std::nullopt;
  return date::sys_days{date}.time_since_epoch() / std::chrono::microseconds{1};
}

/// "23:48" or, without a colon, "2348".
std::optional<Microseconds> take_minutes(IsoText& text) {
  const auto hours = text.number(2, 23);
  if (!hours) return std::nullopt;
  text.skip(':');
  const auto minutes = text.number(2, 59);
  if (!minutes) return std::nullopt;
  return *hours * kHour + *minutes * kMinute;
}

/// "", "Z", "+01:00", "-0330": what the clock is ahead of UTC.
std::optional<Microseconds> take_zone(IsoText& text) {
  if (text.empty() || text.skip('Z')) return 0;
  text.skip(' ');
  const bool ahead = text.skip('+');
  if (!ahead && !text.skip('-')) return std::nullopt;
  const auto offset = take_minutes(text);
  if (!offset) return std::nullopt;
  return ahead ? *offset : -*offset;
}

/// Not by date::parse: it reads a variable that it has not set where seconds are missing.
std::optional<Microseconds> parse_iso8601(std::string_view whole) {
  IsoText text{whole};
  const auto day = take_day(text);
  if (!day || text.empty()) return day;
  if (!text.skip('T') && !text.skip(' ')) return std::nullopt;
  const auto minutes = take_minutes(text);
  if (!minutes || !text.skip(':')) return std::nullopt;
  const auto seconds = text.number(2, 59);
  if (!seconds) return std::nullopt;
  const Microseconds fraction = text.skip('.') ? text.fraction() : 0;
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  return *day + *minutes + *seconds * kSecond + fraction - *zone;
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
  return parse_iso8601(text);
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

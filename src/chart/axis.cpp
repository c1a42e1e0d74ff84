#include "chart/axis.h"

#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace debrief::chart {

namespace {

/// The step of about `count` ticks over `length`.
double nice_step(double length, std::size_t count) {
  const double rough = length / static_cast<double>(std::max<std::size_t>(count, 1));
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * 1.0001) return factor * power;
  return 10 * power;
}

template <typename Words>
std::vector<Tick> ticks(const std::vector<double>& values, const Words& words) {
  std::vector<Tick> out;
  for (const double value : values)
    out.push_back({value, words(value)});
  return out;
}

/// "1.00 MB" -> "1 MB": ticks are round, so zeros after the point say nothing.
std::string without_zeros(std::string text) {
  const std::size_t space = text.find(' ');
  std::size_t end = space;
  if (text.find('.') < space)
    while (text[end - 1] == '0' || text[end - 1] == '.')
      if (text[--end] == '.') break;
  return text.erase(end, space - end);
}

// Steps that clocks count in.
constexpr std::array<Microseconds, 22> kTimeSteps = {
    kSecond / 1000, kSecond / 100, kSecond / 10, kSecond / 5,  kSecond / 2,  kSecond,
    2 * kSecond,    5 * kSecond,   10 * kSecond, 15 * kSecond, 30 * kSecond, kMinute,
    2 * kMinute,    5 * kMinute,   10 * kMinute, 15 * kMinute, 30 * kMinute, kHour,
    3 * kHour,      6 * kHour,     12 * kHour,   24 * kHour};

/// "2025-01-21T11:09:15.500000Z" cut to what a step of this length needs.
std::string clock_text(Microseconds time, Microseconds step) {
  const std::string text = to_iso8601(time);
  const bool midnight = step >= kMinute && time % (24 * kHour) == 0;
  if (step >= 24 * kHour || midnight) return text.substr(5, 5);
  if (step >= kMinute) return text.substr(11, 5);
  if (step >= kSecond) return text.substr(11, 8);
  return text.substr(14, 9); // minutes, seconds, milliseconds
}

} // namespace

std::vector<double> nice_values(double low, double high, std::size_t count) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double step = nice_step(high - low, count);
  std::vector<double> values;
  for (double at = std::ceil(low / step - 1e-9); at * step <= high + step * 1e-9; ++at) {
    values.push_back(at * step);
    if (at + 1 == at) break; // so far from 0 that doubles are more than a step apart
  }
  return values;
}

double nice_ceiling(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (value <= factor * power * 1.0001) return factor * power;
  return 10 * power;
}

std::vector<Tick> percent_ticks(std::string_view unit) {
  std::vector<Tick> out = ticks({0, 25, 50, 75, 100}, [](double value) { return number(value); });
  if (!unit.empty()) out.back().label += unit == "%" ? std::string{"%"} : fmt::format(" {}", unit);
  return out;
}

std::string exact_duration(double seconds, double apart) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{0.0009995, "µs"}, {0.9995, "ms"}, {INFINITY, "s"}}};
  double factor = 1e6;
  const char* name = "";
  for (const auto& [below, unit] : kUnits) {
    name = unit;
    if (std::abs(seconds) < below) break;
    factor /= 1e3;
  }
  const double decimals = std::ceil(-std::log10(apart * factor) - 1e-9);
  return fmt::format("{:.{}f} {}", seconds * factor,
                     static_cast<int>(std::clamp(decimals, 0.0, 9.0)), name);
}

std::vector<Tick> duration_ticks(double low, double high, std::size_t count) {
  const std::vector<double> values = nice_values(low, high, count);
  std::vector<Tick> out = ticks(values, [](double value) {
    return value == 0 ? std::string{"0"} : to_human_duration(value);
  });
  const auto alike = [](const Tick& a, const Tick& b) { return a.label == b.label; };
  if (std::adjacent_find(out.begin(), out.end(), alike) != out.end())
    for (Tick& tick : out)
      tick.label = exact_duration(tick.value, values[1] - values[0]);
  return out;
}

std::vector<Tick> bytes_ticks(double high, std::size_t count) {
  return ticks(nice_values(0, high, count), [](double value) {
    return value == 0 ? std::string{"0"} : without_zeros(to_human_bytes(value));
  });
}

std::vector<Tick> count_ticks(double high, std::size_t count) {
  std::vector<double> values = nice_values(0, high, count);
  std::erase_if(values, [](double value) { return value != std::floor(value); });
  return ticks(values, [](double value) {
    if (value >= 1e6) return number(value / 1e6) + "M";
    if (value >= 1e4) return number(value / 1e3) + "k";
    return number(value);
  });
}

std::vector<Tick> time_ticks(const TimeSpan& span, std::size_t count) {
  const auto wanted = static_cast<Microseconds>(std::max<std::size_t>(count, 1));
  const auto fits = [&](Microseconds step) { return span.length() / step <= wanted; };
  const auto found = std::find_if(kTimeSteps.begin(), kTimeSteps.end(), fits);
  Microseconds step = 24 * kHour;
  if (found != kTimeSteps.end())
    step = *found;
  else
    step *= span.length() / step / wanted + 1;
  std::vector<Tick> out;
  for (Microseconds at = (span.first + step - 1) / step * step; at <= span.last; at += step)
    out.push_back({static_cast<double>(at), clock_text(at, step)});
  return out;
}

std::string short_exponent(std::string text) {
  const std::size_t at = text.find('e');
  if (at == text.npos) return text;
  std::size_t digits = at + 2;
  while (digits + 1 < text.size() && text[digits] == '0')
    text.erase(digits, 1);
  if (text[at + 1] == '+') text.erase(at + 1, 1);
  return text;
}

std::string value_text(double value) {
  const std::string text = short_exponent(fmt::format("{:.4g}", std::abs(value)));
  return value < 0 && text != "0" ? "−" + text : text;
}

std::vector<Tick> value_ticks(double low, double high, std::size_t count) {
  const std::vector<double> values = nice_values(low, high, count);
  if (values.size() < 2) return {{low, short_exponent(fmt::format("{:.4g}", low))}};
  const double step = values[1] - values[0];
  const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
  const double decimals = std::clamp(std::ceil(-std::log10(step) - 1e-9), 0.0, 17.0);
  std::vector<Tick> out;
  for (const double value : values) {
    const double shown = std::abs(value) < step / 2 ? 0 : value; // never "-0"
    out.push_back(
        {value, shown == 0                        ? "0"
                : largest < 1e-3 || largest > 1e6 ? short_exponent(fmt::format("{:.6g}", shown))
                : decimals == 0 ? count_text(static_cast<std::int64_t>(std::llround(shown)))
                                : fmt::format("{:.{}f}", shown, static_cast<int>(decimals))});
  }
  return out;
}

void draw_left_axis(Svg& svg, const Scale& scale, const std::vector<Tick>& ticks, double x,
                    double width) {
  for (const Tick& tick : ticks) {
    const double y = scale(tick.value);
    svg.line({x, y}, {x + width, y}, kGrid);
    svg.text({x - 6, y + 4}, tick.label, Anchor::end);
  }
}

void draw_bottom_axis(Svg& svg, const Scale& scale, const std::vector<Tick>& ticks, double y,
                      double height) {
  for (const Tick& tick : ticks) {
    const double x = scale(tick.value);
    if (height > 0) svg.line({x, y - height}, {x, y}, kGrid);
    svg.text({x, y + 15}, tick.label, Anchor::middle);
  }
}

} // namespace debrief::chart

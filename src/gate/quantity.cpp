#include "gate/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>
#include <vector>

namespace debrief::gate {

namespace {

struct Unit {
  std::string_view word;
  double factor; ///< to the figure's unit
};

constexpr Unit kPercents[] = {{"%", 1}, {"pp", 1}};
constexpr Unit kSeconds[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};
constexpr Unit kBytes[] = {{"B", 1},     {"kB", 1e3},   {"MB", 1e6},      {"GB", 1e9},
                           {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}};
constexpr Unit kRates[] = {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}};
constexpr Unit kHours[] = {{"h", 1}};
constexpr Unit kWatts[] = {{"W", 1}, {"kW", 1e3}};
constexpr Unit kCelsius[] = {{"°C", 1}, {"C", 1}};

std::span<const Unit> units_for(std::string_view unit) {
  if (unit == "%") return kPercents;
  if (unit == "s") return kSeconds;
  if (unit == "B") return kBytes;
  if (unit == "B/s") return kRates;
  if (unit == "W") return kWatts;
  if (unit == "°C") return kCelsius;
  if (unit.ends_with("hours")) return kHours;
  return {};
}

/// The largest decimal unit in which the value is at least 1.
const Unit& byte_unit(std::span<const Unit> units, double value) {
  const Unit* best = &units.front();
  for (const Unit& unit : units)
    if (unit.word.find('i') == unit.word.npos && std::abs(value) >= unit.factor) best = &unit;
  return *best;
}

constexpr int kUsualDigits = 4;
constexpr int kAllDigits = 17; // of a double

} // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  Quantity quantity;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc{} || !std::isfinite(quantity.number)) return std::nullopt;
  quantity.unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (quantity.unit.find_first_of(" \t<>=!0123456789") != quantity.unit.npos) return std::nullopt;
  return quantity;
}

std::optional<double> in_unit(const Quantity& quantity, std::string_view unit) {
  if (quantity.unit.empty() || quantity.unit == unit) return quantity.number;
  for (const Unit& known : units_for(unit))
    if (known.word == quantity.unit) return quantity.number * known.factor;
  return std::nullopt;
}

std::string units_of(std::string_view unit) {
  std::vector<std::string_view> words;
  for (const Unit& known : units_for(unit))
    words.push_back(known.word);
  return words.empty() ? "no unit" : fmt::format("one of {}", fmt::join(words, ", "));
}

std::string value_text(double value, std::string_view unit, int digits) {
  if (unit == "B" || unit == "B/s") {
    const Unit& scale = byte_unit(units_for(unit), value);
    return fmt::format("{:.{}g} {}", value / scale.factor, digits, scale.word);
  }
  if (unit == "s" && value != 0 && std::abs(value) < 1) { // as the page says it: "48.4 ms"
    const Unit& scale = kSeconds[std::abs(value) < 1e-3 ? 2 : 1];
    return fmt::format("{:.{}g} {}", value / scale.factor, digits, scale.word);
  }
  // Counts and hours are not worth an exponent.
  const std::string number = std::abs(value) >= std::pow(10, digits) && std::abs(value) < 1e15
                                 ? fmt::format("{:.0f}", value)
                                 : fmt::format("{:.{}g}", value, digits);
  if (unit == "%") return number + '%';
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

TextPair told_apart(double first, double second, std::string_view unit) {
  TextPair pair{value_text(first, unit), value_text(second, unit)};
  for (int digits = kUsualDigits + 1;
       pair.first == pair.second && first != second && digits <= kAllDigits; ++digits)
    pair = {value_text(first, unit, digits), value_text(second, unit, digits)};
  return pair;
}

} // namespace debrief::gate

#include "rules/rule.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace debrief::rules {

namespace {

constexpr double kMaxSamples = 1e9; // of a window or a wait; more is a slip of the pen

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

const std::array<std::string, 3>& modes() {
  static const std::array<std::string, 3> all = {"TRAIN", "EVAL", "None"};
  return all;
}

} // namespace

std::string range_text(const Parameter& parameter) {
  if (parameter.type == ParameterType::mode) return "TRAIN, EVAL or None";
  return fmt::format("{} to {}", parameter.min, parameter.max);
}

std::string checked_value(const Parameter& parameter, const std::string& value,
                          const std::string& where) {
  if (parameter.type == ParameterType::mode) {
    if (std::find(modes().begin(), modes().end(), value) != modes().end()) return value;
    throw Error(fmt::format("{}: '{}' is not a mode{}; use TRAIN, EVAL or None", where,
                            printable(value), did_you_mean(value, modes())));
  }
  const auto number = parse_number(value);
  if (!number)
    throw Error(fmt::format("{}: '{}' is not a number; use {}", where, printable(value),
                            range_text(parameter)));
  if (parameter.type == ParameterType::integer && *number != std::floor(*number))
    throw Error(fmt::format("{}: {} is not a whole number; use {}", where, printable(value),
                            range_text(parameter)));
  if (*number < parameter.min || *number > parameter.max)
    throw Error(fmt::format("{}: {} is out of range; use {}", where, printable(value),
                            range_text(parameter)));
  return fmt::format("{}", *number);
}

ParameterValues::ParameterValues(std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters)
    values_.emplace(parameter.name, parameter.default_value);
}

double ParameterValues::number(const std::string& name) const {
  return parse_number(values_.at(name)).value();
}

Parameter percent_parameter(std::string name, std::string default_value, std::string meaning) {
  return {std::move(name),   ParameterType::number, std::move(default_value), 0, 100, "%",
          std::move(meaning)};
}

Parameter patience_parameter(std::string default_value) {
  return {"patience",
          ParameterType::integer,
          std::move(default_value),
          0,
          kMaxSamples,
          "samples",
          "Samples to collect before the rule runs"};
}

Parameter window_parameter(std::string default_value, std::string meaning) {
  constexpr double kMaxWindow = 100'000; // the cost of a look grows with it
  return {"window",  ParameterType::integer, std::move(default_value), 1, kMaxWindow,
          "samples", std::move(meaning)};
}

Parameter scan_interval_parameter() {
  return {"scan_interval_us",
          ParameterType::integer,
          "60000000",
          1'000'000,
          86'400'000'000.0,
          "µs",
          "Length of a scan window; the rule runs at the end of each"};
}

} // namespace debrief::rules

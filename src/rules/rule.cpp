#include "rules/rule.h"

#include "util/error.h"
#include "util/pattern.h"
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

const std::array<std::string, 3>& loss_modes() {
  static const std::array<std::string, 3> all = {"EVAL", "TRAIN", "GLOBAL"};
  return all;
}

constexpr const char* kNone = "None";

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out;
  if (text == kNone) return out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, std::min(part.find_first_not_of(" \t"), part.size()));
    part.erase(part.find_last_not_of(" \t") + 1);
    if (!part.empty()) out.push_back(std::move(part));
    begin = end + 1;
  }
  return out;
}

std::string checked_mode(const std::array<std::string, 3>& modes, const std::string& value,
                         const std::string& where) {
  if (std::find(modes.begin(), modes.end(), value) != modes.end()) return value;
  throw Error(fmt::format("{}: '{}' is not a mode{}; use {}, {} or {}", where, printable(value),
                          did_you_mean(value, modes), modes[0], modes[1], modes[2]));
}

/// As Python writes it; SageMaker's parameters are texts in any case.
std::string checked_flag(const std::string& value, const std::string& where) {
  if (value == "True" || value == "true" || value == "1") return "True";
  if (value == "False" || value == "false" || value == "0") return "False";
  throw Error(fmt::format("{}: '{}' is neither true nor false; use True or False", where,
                          printable(value)));
}

std::string checked_patterns(const std::string& value, const std::string& where) {
  for (const std::string& pattern : split_list(value))
    if (!Pattern::parse(pattern))
      throw Error(fmt::format("{}: '{}' is not a regular expression that debrief knows; use one "
                              "without back references",
                              where, printable(pattern)));
  return value.empty() ? kNone : value;
}

bool is_whole(const Parameter& parameter) {
  return parameter.type == ParameterType::integer ||
         parameter.type == ParameterType::optional_integer;
}

} // namespace

std::string range_text(const Parameter& parameter) {
  switch (parameter.type) {
  case ParameterType::mode:
    return "TRAIN, EVAL or None";
  case ParameterType::loss_mode:
    return "EVAL, TRAIN or GLOBAL";
  case ParameterType::boolean:
    return "True or False";
  case ParameterType::text:
    return "text or None";
  case ParameterType::patterns:
    return "regex or None";
  case ParameterType::optional_number:
  case ParameterType::optional_integer:
    return fmt::format("{} to {}, or None", parameter.min, parameter.max);
  case ParameterType::number:
  case ParameterType::integer:
    break;
  }
  return fmt::format("{} to {}", parameter.min, parameter.max);
}

std::string checked_value(const Parameter& parameter, const std::string& value,
                          const std::string& where) {
  switch (parameter.type) {
  case ParameterType::mode:
    return checked_mode(modes(), value, where);
  case ParameterType::loss_mode:
    return checked_mode(loss_modes(), value, where);
  case ParameterType::boolean:
    return checked_flag(value, where);
  case ParameterType::text:
    return value.empty() ? kNone : value;
  case ParameterType::patterns:
    return checked_patterns(value, where);
  case ParameterType::optional_number:
  case ParameterType::optional_integer:
    if (value == kNone) return value;
    break;
  case ParameterType::number:
  case ParameterType::integer:
    break;
  }
  const auto number = parse_number(value);
  if (!number)
    throw Error(fmt::format("{}: '{}' is not a number; use {}", where, printable(value),
                            range_text(parameter)));
  if (is_whole(parameter) && *number != std::floor(*number))
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

std::optional<double> ParameterValues::optional_number(const std::string& name) const {
  return parse_number(values_.at(name));
}

std::vector<std::string> ParameterValues::list(const std::string& name) const {
  return split_list(values_.at(name));
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

Parameter flag_parameter(std::string name, std::string default_value, std::string meaning) {
  return {std::move(name),   ParameterType::boolean, std::move(default_value), 0, 0, "",
          std::move(meaning)};
}

Parameter text_parameter(std::string name, std::string default_value, std::string meaning) {
  return {std::move(name),   ParameterType::text, std::move(default_value), 0, 0, "",
          std::move(meaning)};
}

Parameter patterns_parameter(std::string name, std::string default_value, std::string meaning) {
  return {std::move(name),   ParameterType::patterns, std::move(default_value), 0, 0, "",
          std::move(meaning)};
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

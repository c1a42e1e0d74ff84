// A rule's parameters: declared once, with default, range, unit and meaning; set as text from the
// command line, a config file or the job itself, through one validation.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::rules {

/// What values a parameter takes.
enum class ParameterType {
  number,  ///< any number in the range
  integer, ///< whole numbers in the range
  mode,    ///< TRAIN, EVAL or None, which is both
};

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string default_value; ///< as SageMaker writes it: "70", "0.2", "None"
  double min = 0;
  double max = 0;
  std::string unit; ///< "%", "samples"; empty where there is none
  std::string meaning;
};

/// "0 to 100", "at least 1", "TRAIN, EVAL or None".
std::string range_text(const Parameter& parameter);

/// The value as SageMaker writes it ("80" for "80.0"); throws Error, which begins with `where`, for
/// a value of the wrong type or out of range.
std::string checked_value(const Parameter& parameter, const std::string& value,
                          const std::string& where);

/// The values that a rule runs with.
class ParameterValues {
public:
  explicit ParameterValues(std::span<const Parameter> parameters);

  /// `value` is checked.
  void set(const std::string& name, std::string value) { values_[name] = std::move(value); }

  double number(const std::string& name) const;

  /// For counts of samples.
  std::size_t count(const std::string& name) const {
    return static_cast<std::size_t>(number(name));
  }

  const std::string& text(const std::string& name) const { return values_.at(name); }

private:
  std::map<std::string, std::string> values_;
};

/// Declarations that several rules share.
Parameter percent_parameter(std::string name, std::string default_value, std::string meaning);
Parameter patience_parameter(std::string default_value = "1000");
Parameter window_parameter(std::string default_value, std::string meaning);
Parameter scan_interval_parameter();

} // namespace debrief::rules

#include "rules/settings.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace debrief::rules {

namespace {

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : all_rules())
    names.push_back(rule.declaration.name);
  return names;
}

/// "VanishingGradient" of "VanishingGradient:strict".
std::string rule_of(const std::string& name) {
  return name.substr(0, name.find(':'));
}

/// Whether letters, digits and '-' follow the colon.
bool is_instance_name(const std::string& name) {
  const std::string own = name.substr(name.find(':') + 1);
  return !own.empty() && std::all_of(own.begin(), own.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
  });
}

} // namespace

void RuleSettings::set(const std::string& name, const std::string& value,
                       const std::string& where) {
  const std::size_t bar = name.find('_');
  if (bar == name.npos)
    throw Error(fmt::format("{}: '{}' is not a parameter{}; write <Rule>_<parameter>, such as "
                            "CPUBottleneck_cpu_threshold",
                            where, printable(name), did_you_mean(name, rule_names())));
  set(name.substr(0, bar), name.substr(bar + 1), value, where);
}

void RuleSettings::set(const std::string& rule_name, const std::string& parameter_name,
                       const std::string& value, const std::string& where) {
  const Rule* rule = find_rule(rule_of(rule_name));
  if (rule != nullptr && rule_name != rule->declaration.name &&
      (rule->watch == nullptr || !is_instance_name(rule_name)))
    throw Error(fmt::format("{}: '{}' is no name for another {}; only rules on the model take one, "
                            "of letters and digits",
                            where, printable(rule_name), rule->declaration.name));
  if (rule == nullptr)
    throw Error(fmt::format("{}: unknown rule '{}'{}; 'debrief rules' lists them", where,
                            printable(rule_name), did_you_mean(rule_name, rule_names())));
  const auto& parameters = rule->declaration.parameters;
  const auto found =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const Parameter& parameter) { return parameter.name == parameter_name; });
  if (found == parameters.end()) {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters)
      names.push_back(parameter.name);
    throw Error(fmt::format("{}: {} has no parameter '{}'{}; it takes {}", where, rule_name,
                            printable(parameter_name), did_you_mean(parameter_name, names),
                            fmt::join(names, ", ")));
  }
  values_[rule_name][parameter_name] = checked_value(*found, value, where);
}

void RuleSettings::override_with(const RuleSettings& later) {
  for (const auto& [rule, values] : later.values_)
    for (const auto& [parameter, value] : values)
      values_[rule][parameter] = value;
}

std::vector<std::string> RuleSettings::instances_of(const Rule& rule) const {
  std::vector<std::string> names;
  for (const auto& [name, values] : values_)
    if (name != rule.declaration.name && rule_of(name) == rule.declaration.name)
      names.push_back(name);
  return names;
}

ParameterValues RuleSettings::values_for(const Rule& rule) const {
  return values_for(rule, rule.declaration.name);
}

ParameterValues RuleSettings::values_for(const Rule& rule, const std::string& instance) const {
  ParameterValues values{rule.declaration.parameters};
  if (const auto found = values_.find(instance); found != values_.end())
    for (const auto& [name, value] : found->second)
      values.set(name, value);
  return values;
}

std::map<std::string, std::string> RuleSettings::changed() const {
  std::map<std::string, std::string> changed;
  for (const auto& [rule_name, values] : values_)
    for (const Parameter& parameter : find_rule(rule_of(rule_name))->declaration.parameters)
      if (const auto found = values.find(parameter.name);
          found != values.end() && found->second != parameter.default_value)
        changed[fmt::format("{}_{}", rule_name, parameter.name)] = found->second;
  return changed;
}

} // namespace debrief::rules

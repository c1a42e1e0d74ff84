// What the rules' parameters are set to. Values come from the job itself, a config file and the
// command line, later ones over earlier ones; all pass through set().
#pragma once

#include "rules/rule.h"

#include <map>
#include <string>
#include <vector>

namespace debrief::rules {

class RuleSettings {
public:
  /// Sets "<Rule>_<parameter>" ("CPUBottleneck_cpu_threshold"). Throws Error, a sentence that
  /// begins with `where` and names the nearest valid choice, for anything that no rule takes.
  void set(const std::string& name, const std::string& value, const std::string& where);

  /// The same with both names apart. Rules on the model run once more for each name after a colon
  /// ("VanishingGradient:strict").
  void set(const std::string& rule, const std::string& parameter, const std::string& value,
           const std::string& where);

  /// Takes over all that `later` sets.
  void override_with(const RuleSettings& later);

  ParameterValues values_for(const Rule& rule) const;

  /// Names that a rule was given beside its own: "VanishingGradient:strict".
  std::vector<std::string> instances_of(const Rule& rule) const;

  ParameterValues values_for(const Rule& rule, const std::string& instance) const;

  /// "<Rule>_<parameter>" -> value, of those that differ from their defaults.
  std::map<std::string, std::string> changed() const;

private:
  std::map<std::string, std::map<std::string, std::string>> values_; ///< rule -> parameter -> value
};

} // namespace debrief::rules

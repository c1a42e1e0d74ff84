// Runs the rules of the config file on a job.
#pragma once

#include "custom_rules/custom_rule.h"
#include "rules/rule.h"

#include <functional>
#include <string>
#include <vector>

namespace debrief::custom_rules {

/// Writes the job's tables into a folder, for programs; throws Error.
using TableWriter = std::function<void(const std::string& folder)>;

struct CustomRules {
  std::vector<CustomRule> rules;
  /// No program runs without.
  TableWriter write_tables;
  /// Why the program of a rule does not run, asked right before it would; empty: it runs.
  std::function<std::string(const CustomRule&)> refusal = {};
};

/// A row for each, in their order. `input.result` has everything but these rows.
std::vector<result::RuleRow> run_custom_rules(const CustomRules& custom,
                                              const rules::RuleInput& input);

} // namespace debrief::custom_rules

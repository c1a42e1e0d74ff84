// A rule of the config file: a condition on what a job recorded, or a program that looks at the
// job's tables. With a description, what to do about it, and how severe it is.
#pragma once

#include "custom_rules/condition.h"
#include "result/findings.h"
#include "rules/rule.h"

#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace debrief::custom_rules {

/// A program in any language, and how long it may take.
struct Program {
  std::vector<std::string> words; ///< never empty
  std::string folder;             ///< where it runs: that of the config file
  std::chrono::milliseconds limit{30'000};
};

struct CustomRule {
  std::string name; ///< letters, digits, '-' and '_': it is a file's name, too
  std::string description;
  std::string recommendation = {}; ///< may be empty
  result::Severity severity = result::Severity::warning;
  std::variant<Condition, Program> how;

  const Program* program() const { return std::get_if<Program>(&how); }
};

/// "when", "program" and "timeout", as the config file has them.
std::vector<std::pair<std::string, std::string>> settings_of(const CustomRule& rule);

/// As `debrief rules` lists it.
rules::RuleDeclaration declaration_of(const CustomRule& rule);

std::vector<std::string> names_of(std::span<const CustomRule> rules);

} // namespace debrief::custom_rules

#include "custom_rules/custom_rule.h"

#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

namespace debrief::custom_rules {

namespace {

rules::RuleInputKind input_of(const CustomRule& rule) {
  const auto* condition = std::get_if<Condition>(&rule.how);
  if (condition == nullptr) return rules::RuleInputKind::tables;
  switch (condition->subject) {
  case Subject::series:
    return rules::RuleInputKind::system_metrics;
  case Subject::scalar:
    return rules::RuleInputKind::scalars;
  case Subject::tensor:
    return rules::RuleInputKind::tensors;
  case Subject::metric:
    break;
  }
  return rules::RuleInputKind::metrics;
}

} // namespace

std::vector<std::pair<std::string, std::string>> settings_of(const CustomRule& rule) {
  if (const auto* condition = std::get_if<Condition>(&rule.how))
    return {{"when", printable(condition->text)}};
  const Program& program = *rule.program();
  return {{"program", printable(fmt::format("{}", fmt::join(program.words, " ")))},
          {"timeout", to_human_duration(static_cast<double>(program.limit.count()) / 1000)}};
}

rules::RuleDeclaration declaration_of(const CustomRule& rule) {
  rules::RuleDeclaration out;
  out.name = rule.name;
  out.group = rules::RuleGroup::custom;
  out.looks_at = input_of(rule);
  out.description = rule.description;
  out.recommendation = rule.recommendation;
  out.settings = settings_of(rule);
  out.settings.emplace_back("severity", result::to_text(rule.severity));
  return out;
}

std::vector<std::string> names_of(std::span<const CustomRule> rules) {
  std::vector<std::string> names;
  for (const CustomRule& rule : rules)
    names.push_back(rule.name);
  return names;
}

} // namespace debrief::custom_rules

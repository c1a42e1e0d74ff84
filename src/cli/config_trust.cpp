#include "cli/config_trust.h"

#include "cli/terminal.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::cli {

namespace {

std::size_t count_programs(const pipeline::Config& config) {
  return static_cast<std::size_t>(std::count_if(
      config.custom_rules.begin(), config.custom_rules.end(),
      [](const custom_rules::CustomRule& rule) { return rule.program() != nullptr; }));
}

bool names_mail_server(const pipeline::Config& config) {
  return config.actions.mail != actions::MailServer{};
}

} // namespace

std::vector<trust::Command> commands_of(const pipeline::Config& config) {
  std::vector<trust::Command> commands;
  for (const custom_rules::CustomRule& rule : config.custom_rules)
    if (const auto* program = rule.program()) commands.push_back(program->words);
  for (const actions::Trigger& trigger : config.actions.triggers)
    if (trigger.action.what == actions::Action::What::run)
      commands.push_back({trigger.action.target});
  return commands;
}

bool starts_something(const pipeline::Config& config) {
  return !started_words(config, /*recording=*/true).empty();
}

std::string started_words(const pipeline::Config& config, bool recording) {
  std::vector<std::string> parts;
  if (const std::size_t programs = count_programs(config); programs > 0)
    parts.push_back(count_of(programs, "program"));
  if (recording && !config.actions.triggers.empty())
    parts.push_back(count_of(config.actions.triggers.size(), "action"));
  if (recording && names_mail_server(config)) parts.emplace_back("the mail server");
  if (parts.size() < 2) return parts.empty() ? "" : parts.front();
  const std::string last = std::move(parts.back());
  parts.pop_back();
  return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

void note_left_out(const LoadedConfig& config, bool quiet) {
  const std::string& refusal = config.permission.refusal();
  const std::string programs = started_words(config, /*recording=*/false);
  if (!quiet && !refusal.empty() && !programs.empty())
    print_note(fmt::format("left out {}: {}", programs, refusal));
}

} // namespace debrief::cli

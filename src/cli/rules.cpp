// `debrief rules`: every rule with its parameters, for people, programs and the documentation.
#include "cli/command.h"
#include "custom_rules/custom_rule.h"
#include "rules/catalog.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace debrief::cli {

namespace {

struct RulesOptions {
  std::vector<std::string> names;
  bool json = false;
  bool markdown = false;
  RuleOptions config;
};

constexpr const char* kRulesExamples = R"(Examples:
  debrief rules
  debrief rules CPUBottleneck
  debrief rules --json
  debrief report my-job --param CPUBottleneck_cpu_threshold=80)";

/// Those of debrief, and those of the config file.
std::vector<rules::Rule> known_rules(const pipeline::Config& config) {
  const auto all = rules::all_rules();
  std::vector<rules::Rule> known{all.begin(), all.end()};
  for (const custom_rules::CustomRule& rule : config.custom_rules)
    known.push_back({.declaration = custom_rules::declaration_of(rule)});
  return known;
}

std::vector<const rules::Rule*> chosen_rules(const std::vector<rules::Rule>& all,
                                             const std::vector<std::string>& names) {
  std::vector<const rules::Rule*> chosen;
  std::vector<std::string> known;
  for (const rules::Rule& rule : all) {
    known.push_back(rule.declaration.name);
    if (names.empty()) chosen.push_back(&rule);
  }
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw Error(fmt::format("unknown rule '{}'{}", printable(name), did_you_mean(name, known)));
    chosen.push_back(&all[static_cast<std::size_t>(found - known.begin())]);
  }
  return chosen;
}

ExitCode run_rules_command(const RulesOptions& options) {
  const std::vector<rules::Rule> all = known_rules(options.config.config(/*quiet=*/false));
  const auto rules = chosen_rules(all, options.names);
  fmt::print("{}", options.json       ? rules::rules_json(rules)
                   : options.markdown ? rules::rules_markdown(rules)
                                      : rules::rules_text(rules));
  return ExitCode::done;
}

} // namespace

Run add_rules(CLI::App& app) {
  auto* command = app.add_subcommand("rules", "List the rules and their parameters");
  auto options = std::make_shared<RulesOptions>();
  command->add_option("RULE", options->names, "Rules to list. Default: all")->type_name("");
  auto* json = command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--markdown", options->markdown, "As Markdown (docs/rules.md)")->excludes(json);
  options->config.add_config_to(*command);
  command->footer(kRulesExamples);
  return [options] { return run_rules_command(*options); };
}

} // namespace debrief::cli

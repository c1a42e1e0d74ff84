// `debrief rules`: every rule with its parameters, for people, programs and the documentation.
#include "cli/command.h"
#include "rules/catalog.h"
#include "util/text.h"

#include <fmt/format.h>

#include <memory>

namespace debrief::cli {

namespace {

struct RulesOptions {
  std::vector<std::string> names;
  bool json = false;
  bool markdown = false;
};

constexpr const char* kRulesExamples = R"(Examples:
  debrief rules
  debrief rules CPUBottleneck
  debrief rules --json
  debrief report my-job --param CPUBottleneck_cpu_threshold=80)";

std::vector<const rules::Rule*> chosen_rules(const std::vector<std::string>& names) {
  std::vector<const rules::Rule*> chosen;
  std::vector<std::string> known;
  for (const rules::Rule& rule : rules::all_rules()) {
    known.push_back(rule.declaration.name);
    if (names.empty()) chosen.push_back(&rule);
  }
  for (const std::string& name : names) {
    const rules::Rule* rule = rules::find_rule(name);
    if (rule == nullptr)
      throw Error(fmt::format("unknown rule '{}'{}", printable(name), did_you_mean(name, known)));
    chosen.push_back(rule);
  }
  return chosen;
}

ExitCode run_rules_command(const RulesOptions& options) {
  const auto rules = chosen_rules(options.names);
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
  command->footer(kRulesExamples);
  return [options] { return run_rules_command(*options); };
}

} // namespace debrief::cli

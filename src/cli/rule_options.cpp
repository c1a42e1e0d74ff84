#include "cli/command.h"
#include "pipeline/config.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::cli {

void RuleOptions::add_options_to(CLI::App& command) {
  command
      .add_option("--param", assignments,
                  "Set a rule's parameter, such as\n"
                  "CPUBottleneck_cpu_threshold=80; may be repeated.\n"
                  "'debrief rules' lists them")
      ->type_name("RULE_PARAMETER=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--config", config,
                  "A JSON file with rules' parameters:\n{\"rules\": {\"CPUBottleneck\": "
                  "{\"cpu_threshold\": 80}}}")
      ->type_name("FILE");
}

RuleSettings RuleOptions::settings() const {
  RuleSettings settings;
  if (!config.empty()) read_config(config, settings);
  for (const std::string& assignment : assignments) {
    const std::string where = "--param " + printable(assignment);
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos)
      throw Error(fmt::format("{}: has no value; write it as RULE_PARAMETER=VALUE", where));
    settings.set(assignment.substr(0, equals), assignment.substr(equals + 1), where);
  }
  return settings;
}

} // namespace debrief::cli

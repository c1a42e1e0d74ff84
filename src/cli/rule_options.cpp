#include "cli/command.h"
#include "cli/config_trust.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "util/text.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace debrief::cli {

namespace {

std::string validate_price(const std::string& text, const char* example) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc{} && end == text.data() + text.size();
  return read && pipeline::is_price(value)
             ? ""
             : fmt::format("invalid price '{}'; write USD per {}", printable(text), example);
}

std::string validate_gpu_price(const std::string& text) {
  return validate_price(text, "GPU-hour, such as 2.5");
}

std::string validate_energy_price(const std::string& text) {
  return validate_price(text, "kWh, such as 0.3");
}

} // namespace

void RuleOptions::add_options_to(CLI::App& command) {
  command
      .add_option("--param", assignments,
                  "Set a rule's parameter, such as\n"
                  "CPUBottleneck_cpu_threshold=80; may be repeated.\n"
                  "'debrief rules' lists them")
      ->type_name("RULE_PARAMETER=VALUE")
      ->allow_extra_args(false);
  add_config_to(command);
}

void RuleOptions::add_config_to(CLI::App& command) {
  auto* file = command
                   .add_option("--config", config_file,
                               "A JSON file with rules, prices and checks. Default:\n"
                               "debrief.json in the current folder, if there is one")
                   ->type_name("FILE")
                   ->check(validate_not_empty);
  command.add_flag("--no-config", no_config, "Ignore config files")->excludes(file);
}

void RuleOptions::add_price_to(CLI::App& command) {
  command.add_option("--price", price, "USD per GPU-hour: the report shows lost time in money")
      ->type_name("USD")
      ->check(validate_gpu_price);
  command
      .add_option("--energy-price", energy_price,
                  "USD per kWh: the report shows the cost of the GPUs'\nenergy, if it was recorded")
      ->type_name("USD")
      ->check(validate_energy_price);
}

std::string RuleOptions::config_path() const {
  std::error_code error;
  if (!config_file.empty() || no_config) return config_file;
  return std::filesystem::exists(pipeline::kConfigName, error) ? pipeline::kConfigName : "";
}

LoadedConfig RuleOptions::config(bool quiet) const {
  LoadedConfig config;
  if (const std::string path = config_path(); !path.empty()) {
    const std::string text = pipeline::read_config_text(path);
    pipeline::apply_config(text, path, config);
    if (config_file.empty()) {
      if (!quiet)
        print_note(fmt::format("using ./{} (--no-config ignores it)", pipeline::kConfigName));
      if (starts_something(config)) config.permission = {path, text, commands_of(config)};
    }
  }
  if (price) config.price = price;
  if (energy_price) config.energy_price = energy_price;
  for (const std::string& assignment : assignments) {
    const std::string where = "--param " + printable(assignment);
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos)
      throw Error(fmt::format("{}: has no value; write RULE_PARAMETER=VALUE", where));
    config.rules.set(assignment.substr(0, equals), assignment.substr(equals + 1), where);
  }
  return config;
}

} // namespace debrief::cli

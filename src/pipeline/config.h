// A config file: what a repository wants of every report and demands of every job, in JSON
// (docs/config.schema.json).
//
//   {"rules": {"CPUBottleneck": {"cpu_threshold": 80},
//              "custom": [{"name": "Hot", "when": "metric.GPUTemperatureCelsius > 85 for 1min"}]},
//    "fail_on": ["severity>=critical"], "require": ["gpu.p50 >= 70"],
//    "baseline": "baseline.json", "tolerance": {"default": "5%", "steps.train.p50": "3%"},
//    "on": ["idle_gpus for 10min=stop"]}
#pragma once

#include "actions/trigger.h"
#include "custom_rules/custom_rule.h"
#include "gate/demands.h"
#include "rules/settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::pipeline {

/// What a config is called where nobody says: looked for in the current folder.
inline constexpr const char* kConfigName = "debrief.json";

struct Config {
  rules::RuleSettings rules;
  std::vector<custom_rules::CustomRule> custom_rules;
  std::optional<double> price;        ///< USD of one GPU-hour
  std::optional<double> energy_price; ///< USD of one kWh
  gate::Demands gate;
  actions::Plan actions; ///< of `debrief record`
};

/// The file's bytes, for apply_config(). Throws Error for a file that cannot be read.
std::string read_config_text(const std::string& path);

/// Sets what the text says; `name` stands for it in errors, and the baseline's path is relative to
/// its folder. Throws Error for what is not JSON, and for every key or value that means nothing,
/// with the nearest that does.
void apply_config(std::string_view text, const std::string& name, Config& config);

/// USD per GPU-hour, or per kWh, that there can be.
bool is_price(double price);

} // namespace debrief::pipeline

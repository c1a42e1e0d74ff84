// A config file: what a repository wants of every report, in JSON.
//
//   {"rules": {"CPUBottleneck": {"cpu_threshold": 80}, "StepOutlier": {"mode": "TRAIN"}}}
#pragma once

#include "rules/settings.h"

#include <string>
#include <string_view>

namespace debrief {

/// Sets what the file says. Throws Error for a file that cannot be read or is not JSON, and for
/// every key or value that means nothing, with the nearest that does.
void read_config(const std::string& path, RuleSettings& settings);

/// The same for a text; `name` stands for it in errors.
void apply_config(std::string_view text, const std::string& name, RuleSettings& settings);

} // namespace debrief

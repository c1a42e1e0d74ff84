// Custom rules as the config file has them, in "rules": {"custom": […]}.
#pragma once

#include "custom_rules/custom_rule.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace debrief::custom_rules {

inline constexpr std::size_t kMaxCustomRules = 200;

/// `where` names the list, `folder` is that of the config file. Throws Error, a sentence that
/// begins with the place, for every key and value that means nothing.
std::vector<CustomRule> read_custom_rules(const nlohmann::json& list, const std::string& where,
                                          const std::string& folder);

} // namespace debrief::custom_rules

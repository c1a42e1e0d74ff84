// The section "Rules summary".
#pragma once

#include "result/rules.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace debrief::render {

nlohmann::json rules_view(const std::vector<result::RuleRow>& rules);

} // namespace debrief::render

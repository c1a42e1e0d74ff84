// The rules' declarations as text, JSON and Markdown: what `debrief rules` prints.
#pragma once

#include "rules/rule.h"

#include <span>
#include <string>

namespace debrief::rules {

std::string rules_text(std::span<const Rule* const> rules);
std::string rules_json(std::span<const Rule* const> rules);
std::string rules_markdown(std::span<const Rule* const> rules);

} // namespace debrief::rules

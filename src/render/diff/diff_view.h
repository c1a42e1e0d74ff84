// The view of the page that compares two jobs (templates/diff.html).
#pragma once

#include "compare/diff.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json make_diff_view(const compare::Diff& diff);

/// Sections of work and of rules, for the above.
nlohmann::json diff_works_view(const compare::Works& works);
nlohmann::json diff_rules_view(const std::vector<compare::RuleChange>& rules);

} // namespace debrief::render

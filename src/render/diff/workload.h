// What a comparison says of the work of two jobs: operators, kernels and rules.
#pragma once

#include "compare/diff.h"
#include "render/parts/section.h"

#include <optional>
#include <vector>

namespace debrief::render {

/// Operators or kernels of both jobs.
Section workload_section(const compare::Workload& workload);

/// Absent if neither job has rules.
std::optional<Section> rules_section(const std::vector<compare::RuleChange>& rules);

} // namespace debrief::render

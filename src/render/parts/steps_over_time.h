// Steps over time: how long each took, with outlying ones marked.
#pragma once

#include "render/parts/chart.h"
#include "render/parts/section.h"
#include "result/result.h"

#include <optional>

namespace debrief::render {

/// For the timeline's panel: the processes and modes that spent most time in steps; absent where no
/// step's moment is known.
std::optional<Chart> step_chart(const result::Result& result);

/// For the section on steps: a drawing for each mode, of the processes with the longest steps.
void draw_steps(Section& section, const result::Result& result);

} // namespace debrief::render

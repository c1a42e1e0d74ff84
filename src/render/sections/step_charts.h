// How long steps took, as drawings: a histogram for each mode, over its processes.
#pragma once

#include "render/parts/chart.h"
#include "result/steps.h"

#include <vector>

namespace debrief::render {

/// Of more processes than there are colors the fastest and the slowest are drawn, of more than
/// three modes those with the most processes; captions say so.
std::vector<Figure> step_figures(const std::vector<result::StepRow>& steps);

} // namespace debrief::render

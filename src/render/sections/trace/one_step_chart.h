// The drawing of one step, for a page without scripts and for paper.
#pragma once

#include "render/parts/chart.h"
#include "result/trace.h"

namespace debrief::render {

Figure one_step_figure(const result::StepView& view);

} // namespace debrief::render

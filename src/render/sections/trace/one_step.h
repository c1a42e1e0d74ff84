// The section on one step in full: the drawing of the median one, which the page's script replaces
// by a view to zoom into, and its longest slices.
#pragma once

#include "result/trace.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json one_step_view(const result::Traces& traces);

} // namespace debrief::render

// How long each iteration of the training loop took: its step, and what came before it.
#pragma once

#include "render/parts/chart.h"
#include "result/result.h"

#include <optional>

namespace debrief::render {

/// Of the process with most steps of the mode that has most. Absent for fewer than three.
std::optional<Chart> iteration_split(const result::Result& result);

} // namespace debrief::render

// How busy every GPU and core was over time, as one drawing.
#pragma once

#include "render/parts/chart.h"
#include "result/timeline.h"

#include <optional>

namespace debrief::render {

/// Absent where neither GPUs nor cores were sampled. All GPUs come first; of several nodes then the
/// mean of each one's cores, then cores as far as there is room. Where there are too many rows,
/// neighbors are averaged.
std::optional<Chart> heat_chart(const result::Timeline& timeline);

} // namespace debrief::render

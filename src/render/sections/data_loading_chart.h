// How long loading takes, as a drawing.
#pragma once

#include "render/parts/chart.h"
#include "result/framework.h"

#include <optional>
#include <vector>

namespace debrief::render {

/// The kind of load times that tells most: how long the training process waits for the next batch,
/// or else the first there is. Null where there is none.
const result::LoadTimes* telling_times(const std::vector<result::LoadTimes>& times);

/// That kind, and others of its order of magnitude.
std::optional<Figure> loading_figure(const std::vector<result::LoadTimes>& times);

} // namespace debrief::render

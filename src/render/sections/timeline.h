// The section "Timeline": everything of the job that has a moment, in panels over one time axis.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// As templates/sections/timeline.html wants it: take_away, panels (each a figure with a name),
/// notes below them.
nlohmann::json timeline_view(const result::Result& result);

} // namespace debrief::render

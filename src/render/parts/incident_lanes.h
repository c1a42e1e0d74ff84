// Which findings and rules held when, as the lanes above the panels of the timeline.
#pragma once

#include "chart/time_panel.h"
#include "result/result.h"

#include <string_view>
#include <vector>

namespace debrief::render {

/// Of the findings, then of the rules that found an issue, where they are about what the panel
/// shows
/// ("GPU", "steps", …): one lane each, stretches that touch in the drawing joined.
std::vector<chart::Lane> incident_lanes(const result::Result& result, std::string_view panel);

/// "gpu0 of algo-1", "algo-1", "the job".
std::string incident_place(const result::Incident& incident);

} // namespace debrief::render

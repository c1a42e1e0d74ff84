// Which findings and rules held when, as lanes of the timeline.
#pragma once

#include "chart/time_panel.h"
#include "result/result.h"

#include <string>
#include <vector>

namespace debrief::render {

/// Of the findings, then of the rules that found an issue: one lane each, stretches that touch in
/// the drawing joined.
std::vector<chart::Lane> incident_lanes(const result::Result& result);

/// "gpu0 of algo-1", "algo-1", "the job".
std::string incident_place(const result::Incident& incident);

} // namespace debrief::render

// Collectives: how much of them is hidden behind compute, and who comes late to them.
#pragma once

#include "result/trace.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Null without traces; one line where they have no collectives.
nlohmann::json communication_view(const result::Traces& traces);

} // namespace debrief::render

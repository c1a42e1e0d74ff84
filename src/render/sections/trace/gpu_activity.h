// What GPUs did while they were profiled, why they were idle, and what the host waited for.
#pragma once

#include "result/trace.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Null without traces; one line where they have no GPU work.
nlohmann::json activity_view(const result::Traces& traces);

} // namespace debrief::render

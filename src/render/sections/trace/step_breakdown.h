// Where the time of profiled steps went, by step and by process.
#pragma once

#include "result/trace.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Without traces it says how to record them.
nlohmann::json breakdown_view(const result::Traces& traces);

} // namespace debrief::render

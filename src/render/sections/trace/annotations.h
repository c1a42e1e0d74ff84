// Ranges that user code named, and modules.
#pragma once

#include "result/trace.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Null without traces; one line where they have neither.
nlohmann::json annotations_view(const result::Traces& traces);

} // namespace debrief::render

// What PyTorch's allocator held over a trace, its peak, and who held it then.
#pragma once

#include "result/trace.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Null without traces; one line where they have no memory events.
nlohmann::json allocator_view(const result::Traces& traces);

} // namespace debrief::render

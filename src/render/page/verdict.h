// The verdict in the head of the page: what, why, what to do next, and what it costs.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Null where there is no verdict.
nlohmann::json verdict_view(const result::Result& result);

} // namespace debrief::render

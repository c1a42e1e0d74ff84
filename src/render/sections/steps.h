// The section "Step duration analysis".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json steps_view(const result::Result& result);

} // namespace debrief::render

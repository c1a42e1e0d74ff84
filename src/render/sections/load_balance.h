// The section "Workload balancing".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json balance_view(const result::Result& result);

} // namespace debrief::render

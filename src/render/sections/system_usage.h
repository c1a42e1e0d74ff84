// The section "System usage statistics".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json usage_view(const result::Result& result);

} // namespace debrief::render

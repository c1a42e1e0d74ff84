// The section "Data quality".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json quality_view(const result::Result& result);

} // namespace debrief::render

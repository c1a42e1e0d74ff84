// The section "Data loading analysis".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json loading_view(const result::Result& result);

} // namespace debrief::render

// The section "Batch size".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json batch_view(const result::Result& result);

} // namespace debrief::render

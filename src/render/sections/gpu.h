// The sections "GPU utilization" and "GPU memory".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json gpu_utilization_view(const result::Result& result);

nlohmann::json gpu_memory_view(const result::Result& result);

} // namespace debrief::render

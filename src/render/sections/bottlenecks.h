// The sections "CPU bottlenecks" and "I/O bottlenecks".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace debrief::render {

/// `kind`: "CPU" or "I/O".
nlohmann::json bottleneck_view(const result::Result& result, std::string_view kind);

} // namespace debrief::render

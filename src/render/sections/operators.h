// The sections "Overview: CPU operators" and "Overview: GPU operators".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace debrief::render {

/// `kind`: "CPU" or "GPU".
nlohmann::json operators_view(const result::Result& result, std::string_view kind);

} // namespace debrief::render

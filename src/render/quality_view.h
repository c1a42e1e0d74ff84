// The section "Data quality".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::render {

/// What a reader must know before any figure: losses, other jobs in the folder, skewed clocks.
/// Empty where there is nothing of the kind.
std::string quality_notice(const result::DataQuality& quality);

nlohmann::json quality_view(const result::Result& result);

} // namespace debrief::render

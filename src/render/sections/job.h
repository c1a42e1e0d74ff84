// The page's header and its section "Training job summary".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// The key figures under the title.
nlohmann::json facts_view(const result::JobSummary& job);

nlohmann::json job_view(const result::JobSummary& job);

} // namespace debrief::render

// The section "Gate": what `debrief check` demanded of the job, and what was found.
#pragma once

#include "result/gate.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace debrief::render {

/// Null where nothing was demanded.
nlohmann::json gate_view(const std::optional<result::Gate>& gate);

/// "1 of 3 assertions failed, 1 could not be judged. Compared with job-before."
std::string gate_sentence(const result::Gate& gate);

} // namespace debrief::render

// The first screen: what is wrong and what to do, where the GPU time went and when, and the six
// numbers to look at first.
#pragma once

#include "render/page/placeholders.h"
#include "render/page/view.h"
#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace debrief::render {

/// What templates/parts/summary.html shows. Drawings go into the placeholders.
nlohmann::json summary_view(const result::Result& result, const std::vector<MadeSection>& sections,
                            Placeholders& placeholders);

/// What, why, what to do next and what it costs; null if there is no verdict.
nlohmann::json verdict_view(const result::Result& result);

/// Six rows of {name, value, more, class}. What was not measured says so.
nlohmann::json tiles_view(const result::Result& result);

/// "2 min 16 s · 1 × H200, 16 CPUs · PyTorch 2.11 · Nov 14, 2026, 23:50 UTC · Completed": what of
/// it is known.
std::vector<std::string> job_facts(const result::Result& result);

} // namespace debrief::render

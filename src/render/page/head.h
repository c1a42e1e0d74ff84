// The head of the page: the verdict, the figures to look at first, and the way to the sections.
#pragma once

#include "render/page/view.h"
#include "result/result.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace debrief::render {

/// What templates/page.html shows around the sections.
nlohmann::json head_view(const result::Result& result, const std::vector<MadeSection>& sections);

/// What, why, what to do next, and what it costs; null if there is no verdict.
nlohmann::json verdict_view(const result::Result& result);

/// Rows of {name, value, more}; what is not known has no row.
nlohmann::json keys_view(const result::Result& result);

/// Groups of links. A link says whether an issue was found in its section, and whether the section
/// has no data.
nlohmann::json nav_view(const std::vector<MadeSection>& sections);

} // namespace debrief::render

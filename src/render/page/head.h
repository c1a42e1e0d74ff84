// The head of the page: the summary, and the way to the sections.
#pragma once

#include "render/page/placeholders.h"
#include "render/page/view.h"
#include "result/result.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace debrief::render {

/// What templates/page.html shows around the sections. Drawings go into the placeholders.
nlohmann::json head_view(const result::Result& result, const std::vector<MadeSection>& sections,
                         Placeholders& placeholders);

} // namespace debrief::render

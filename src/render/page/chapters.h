// The report's chapters: its sections under ten headings, of which those that matter to this job
// are open. A closed one says its result and what is in it.
#pragma once

#include "render/page/placeholders.h"
#include "render/page/view.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace debrief::render {

/// Links to the chapters, and below them to their sections. A link says whether an issue was found
/// in what it leads to.
nlohmann::json nav_view(const std::vector<MadeSection>& sections);

/// All chapters as HTML. Charts and rows of tables go into the placeholders.
std::string chapters_html(std::vector<MadeSection> sections, Placeholders& placeholders);

} // namespace debrief::render

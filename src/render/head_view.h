// The head of the page: the figures to look at first, and the way to the sections.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// Rows of {name, value, more, class}; what is not known has no row.
nlohmann::json keys_view(const result::Result& result);

/// Groups of links. A link says whether a rule found an issue in its section, and whether the
/// section has no data; `sections` is the rest of the page's view.
nlohmann::json nav_view(const result::Result& result, const nlohmann::json& sections);

} // namespace debrief::render

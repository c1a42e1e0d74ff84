// The head of the page: the figures to look at first, and the way to the sections.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace debrief::render {

/// Rows of {name, value, more, class}; what is not known has no row.
nlohmann::json keys_view(const result::Result& result);

/// What the navigation calls a section; empty where the page does not have it or it has no data.
std::string_view section_name(const nlohmann::json& sections, std::string_view id);

/// Groups of links. A link says whether an issue was found in its section, and whether the
/// section has no data; `sections` is the rest of the page's view.
nlohmann::json nav_view(const result::Result& result, const nlohmann::json& sections);

} // namespace debrief::render

// The template engine with all parts of pages in it, and what every page's head says.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace debrief::render {

/// The page that a template of the binary ("page.html") makes of a view. Texts are escaped; marks
/// (render/page/placeholders.h) are left to be filled. The view gets the page's
/// Content-Security-Policy, under which nothing may be loaded and nothing may run but the page's
/// own script and style, known by their hashes.
std::string render_template(std::string_view name, nlohmann::json view);

} // namespace debrief::render

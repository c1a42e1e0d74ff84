// The template engine with all parts of pages in it, and what every page's head says.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace debrief::render {

/// What a template of the binary ("parts/section.html") makes of a view. Texts are escaped;
/// placeholders (render/page/placeholders.h) are left to be filled.
std::string render_template(std::string_view name, const nlohmann::json& view);

/// The page that a template ("page.html") makes of a view, with its sections in the place of
/// `<!--sections-->`. The view gets the page's Content-Security-Policy, under which nothing may be
/// loaded and nothing may run but the page's own script and style, known by their hashes.
std::string render_page(std::string_view name, nlohmann::json view, std::string_view sections);

} // namespace debrief::render

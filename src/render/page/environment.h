// The template engine with all parts of pages in it, and what every page's head says.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace debrief::render {

/// What a template of the binary ("parts/section.html") makes of a view. Texts are escaped;
/// placeholders (render/page/placeholders.h) are left to be filled.
std::string render_template(std::string_view name, const nlohmann::json& view);

/// The same, with the content, which is HTML already, in the place of `<!--content-->`.
std::string render_around(std::string_view name, const nlohmann::json& view,
                          std::string_view content);

/// The page that a template ("page.html") makes of a view around its sections. The view gets the
/// page's Content-Security-Policy, under which nothing may be loaded and nothing may run but the
/// page's own script and style, known by their hashes.
std::string render_page(std::string_view name, nlohmann::json view, std::string_view sections);

} // namespace debrief::render

// Templates, script and style of the page, compiled into the binary by assets/build.mjs.
#pragma once

#include <span>
#include <string_view>

namespace debrief::render {

struct EmbeddedTemplate {
  std::string_view name; ///< "page.html", "sections/job.html"
  std::string_view text;
};

std::span<const EmbeddedTemplate> embedded_templates();

/// The page's script and style, and the sources that its Content-Security-Policy allows:
/// `sha256-…`.
std::string_view embedded_script();
std::string_view embedded_script_hash();
std::string_view embedded_style();
std::string_view embedded_style_hash();

} // namespace debrief::render

#include "render/html.h"

#include "render/embedded.h"
#include "render/marks.h"
#include "render/view.h"

#include <fmt/format.h>
#include <inja/inja.hpp>

#include <string>
#include <vector>

namespace debrief::render {

namespace {

inja::Environment make_environment() {
  inja::Environment environment;
  environment.set_html_autoescape(true);
  environment.set_trim_blocks(true);
  environment.set_lstrip_blocks(true);
  environment.set_search_included_templates_in_files(false);
  for (const EmbeddedTemplate& part : embedded_templates())
    if (part.name != "page.html")
      environment.include_template(std::string{part.name}, environment.parse(part.text));
  return environment;
}

std::string_view template_text(std::string_view name) {
  for (const EmbeddedTemplate& part : embedded_templates())
    if (part.name == name) return part.text;
  throw std::logic_error(fmt::format("no template '{}' in the binary", name));
}

/// Nothing may be loaded and nothing may run but the page's own script and style, known by their
/// hashes.
std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      embedded_script_hash(), embedded_style_hash());
}

/// What stands in the place of a mark.
std::string_view filling(std::string_view name, const std::vector<std::string>& drawings) {
  constexpr std::string_view kDrawing = "drawing ";
  if (name == "style") return embedded_style();
  if (name == "script") return embedded_script();
  if (name.starts_with(kDrawing))
    return drawings.at(std::stoul(std::string{name.substr(kDrawing.size())}));
  throw std::logic_error(fmt::format("page.html has an unknown mark '{}'", name));
}

} // namespace

std::string to_html(const result::Result& result) {
  inja::Environment environment = make_environment();
  nlohmann::json view = make_view(result);
  view["policy"] = content_security_policy();
  const std::vector<std::string> drawings = take_drawings(view);
  const inja::Template page = environment.parse(template_text("page.html"));
  return fill_marks(environment.render(page, view),
                    [&](std::string_view name) { return filling(name, drawings); });
}

} // namespace debrief::render

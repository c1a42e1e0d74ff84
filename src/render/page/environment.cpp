#include "render/page/environment.h"

#include "render/page/embedded.h"

#include <fmt/format.h>
#include <inja/inja.hpp>

#include <functional>
#include <map>
#include <stdexcept>

namespace debrief::render {

namespace {

/// Pages lie beside the folders of the parts that they include.
bool is_part(std::string_view name) {
  return name.find('/') != name.npos;
}

/// The engine and the pages' templates, parsed. Rendering only reads them.
struct Pages {
  inja::Environment environment;
  std::map<std::string, inja::Template, std::less<>> templates;
};

Pages parse_pages() {
  Pages pages;
  inja::Environment& environment = pages.environment;
  environment.set_html_autoescape(true);
  environment.set_trim_blocks(true);
  environment.set_lstrip_blocks(true);
  environment.set_search_included_templates_in_files(false);
  for (const EmbeddedTemplate& part : embedded_templates())
    if (is_part(part.name))
      environment.include_template(std::string{part.name}, environment.parse(part.text));
  for (const EmbeddedTemplate& page : embedded_templates())
    if (!is_part(page.name)) pages.templates.emplace(page.name, environment.parse(page.text));
  return pages;
}

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      embedded_script_hash(), embedded_style_hash());
}

} // namespace

std::string render_template(std::string_view name, nlohmann::json view) {
  static Pages pages = parse_pages();
  const auto page = pages.templates.find(name);
  if (page == pages.templates.end())
    throw std::logic_error(fmt::format("no template '{}' in the binary", name));
  view["policy"] = content_security_policy();
  return pages.environment.render(page->second, view);
}

} // namespace debrief::render

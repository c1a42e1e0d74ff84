#include "render/environment.h"

#include "render/embedded.h"

#include <fmt/format.h>
#include <inja/inja.hpp>

#include <stdexcept>

namespace debrief::render {

namespace {

/// Pages lie beside the folders of the parts that they include.
bool is_part(std::string_view name) {
  return name.find('/') != name.npos;
}

inja::Environment make_environment() {
  inja::Environment environment;
  environment.set_html_autoescape(true);
  environment.set_trim_blocks(true);
  environment.set_lstrip_blocks(true);
  environment.set_search_included_templates_in_files(false);
  for (const EmbeddedTemplate& part : embedded_templates())
    if (is_part(part.name))
      environment.include_template(std::string{part.name}, environment.parse(part.text));
  return environment;
}

std::string_view template_text(std::string_view name) {
  for (const EmbeddedTemplate& part : embedded_templates())
    if (part.name == name) return part.text;
  throw std::logic_error(fmt::format("no template '{}' in the binary", name));
}

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      embedded_script_hash(), embedded_style_hash());
}

} // namespace

std::string render_template(std::string_view name, nlohmann::json view) {
  inja::Environment environment = make_environment();
  view["policy"] = content_security_policy();
  const inja::Template page = environment.parse(template_text(name));
  return environment.render(page, view);
}

} // namespace debrief::render

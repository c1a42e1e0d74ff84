#include "render/html.h"

#include "render/embedded.h"
#include "render/view.h"

#include <fmt/format.h>
#include <inja/inja.hpp>

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

} // namespace

std::string to_html(const result::Result& result) {
  inja::Environment environment = make_environment();
  nlohmann::json view = make_view(result);
  view["policy"] = content_security_policy();
  const inja::Template page = environment.parse(template_text("page.html"));
  const std::string html = environment.render(page, view);

  // Script and style are code, not data: they are put in after rendering, so that the engine
  // neither escapes nor interprets them. The marks are comments that no escaped text of a job can
  // contain.
  const auto fill = [](std::string text, std::string_view mark, std::string_view with) {
    const std::size_t at = text.find(mark);
    if (at == text.npos) throw std::logic_error(fmt::format("page.html has no {}", mark));
    return text.replace(at, mark.size(), with);
  };
  return fill(fill(html, "<!--style-->", embedded_style()), "<!--script-->", embedded_script());
}

} // namespace debrief::render

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

/// The engine and the templates, parsed. Rendering only reads them, so threads may share them.
struct Templates {
  inja::Environment environment;
  std::map<std::string, inja::Template, std::less<>> parsed;
};

Templates parse_templates() {
  Templates out;
  inja::Environment& environment = out.environment;
  environment.set_html_autoescape(true);
  environment.set_trim_blocks(true);
  environment.set_lstrip_blocks(true);
  environment.set_search_included_templates_in_files(false);
  for (const EmbeddedTemplate& one : embedded_templates()) {
    inja::Template parsed = environment.parse(one.text);
    if (is_part(one.name)) environment.include_template(std::string{one.name}, parsed);
    out.parsed.emplace(one.name, std::move(parsed));
  }
  return out;
}

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      embedded_script_hash(), embedded_style_hash());
}

} // namespace

std::string render_template(std::string_view name, const nlohmann::json& view) {
  static Templates templates = parse_templates();
  const auto found = templates.parsed.find(name);
  if (found == templates.parsed.end())
    throw std::logic_error(fmt::format("no template '{}' in the binary", name));
  return templates.environment.render(found->second, view);
}

std::string render_around(std::string_view name, const nlohmann::json& view,
                          std::string_view content) {
  constexpr std::string_view kContent = "<!--content-->";
  std::string html = render_template(name, view);
  const std::size_t at = html.find(kContent);
  if (at == html.npos)
    throw std::logic_error(fmt::format("the template '{}' has no place for its content", name));
  return html.replace(at, kContent.size(), content);
}

std::string render_page(std::string_view name, nlohmann::json view, std::string_view sections) {
  view["policy"] = content_security_policy();
  return render_around(name, view, sections);
}

} // namespace debrief::render

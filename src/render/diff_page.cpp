#include "render/diff_page.h"

#include "render/diff_view.h"
#include "render/embedded.h"
#include "render/environment.h"
#include "render/marks.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace debrief::render {

std::string to_html(const compare::Diff& diff) {
  nlohmann::json view = make_diff_view(diff);
  const std::vector<std::string> drawings = take_drawings(view);
  const std::string text = render_template("diff.html", std::move(view));
  return fill_marks(text, [&](std::string_view name) -> std::string_view {
    constexpr std::string_view kDrawing = "drawing ";
    if (name == "style") return embedded_style();
    if (name == "script") return embedded_script();
    if (name.starts_with(kDrawing))
      return drawings.at(std::stoul(std::string{name.substr(kDrawing.size())}));
    throw std::logic_error(fmt::format("diff.html has an unknown mark '{}'", name));
  });
}

} // namespace debrief::render

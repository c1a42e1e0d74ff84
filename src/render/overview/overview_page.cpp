#include "render/overview/overview_page.h"

#include "render/page/environment.h"
#include "render/page/placeholders.h"

#include <utility>

namespace debrief::render {

std::string to_html(const std::vector<overview::Entry>& entries) {
  nlohmann::json view = make_overview_view(entries);
  const Bulk bulk{view};
  return fill_marks(render_template("overview.html", std::move(view)), bulk);
}

} // namespace debrief::render

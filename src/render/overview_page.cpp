#include "render/overview_page.h"

#include "render/environment.h"
#include "render/marks.h"

#include <utility>

namespace debrief::render {

std::string to_html(const std::vector<overview::Entry>& entries) {
  nlohmann::json view = make_overview_view(entries);
  const Bulk bulk{view};
  return fill_marks(render_template("overview.html", std::move(view)), bulk);
}

} // namespace debrief::render

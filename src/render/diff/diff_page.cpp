#include "render/diff/diff_page.h"

#include "render/diff/diff_view.h"
#include "render/page/environment.h"
#include "render/page/placeholders.h"

#include <utility>

namespace debrief::render {

std::string to_html(const compare::Diff& diff) {
  nlohmann::json view = make_diff_view(diff);
  const Bulk bulk{view};
  return fill_marks(render_template("diff.html", std::move(view)), bulk);
}

} // namespace debrief::render

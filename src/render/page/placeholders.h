// Places of the page that are filled after the template engine ran: script, style, drawings, rows
// of tables and samples are code or bulk data, which the engine must not interpret and would copy
// again and again.
//
// A mark is a comment, `<!--script-->`, `<!--drawing 12-->`. No text of a job can make one: it is
// escaped by then.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// What stands in the place of the mark of a name.
using Filling = std::function<std::string_view(std::string_view name)>;

/// The text with each mark replaced.
std::string fill_marks(std::string_view html, const Filling& filling);

/// How long that text is.
std::size_t filled_size(std::string_view html, const Filling& filling);

/// What is taken out of a view before the template engine sees it: every "svg", and the "rows" of
/// every table as HTML. The view keeps their numbers, which are the numbers of their marks.
class Bulk {
public:
  explicit Bulk(nlohmann::json& view);

  /// What stands in the place of a mark that every page can have: script, style, a drawing, rows.
  /// Throws std::logic_error where there is none of that name.
  std::string_view operator()(std::string_view mark) const;

private:
  void take(nlohmann::json& value);

  std::vector<std::string> texts_;
};

} // namespace debrief::render

// Places of the page that are filled after the template engine ran: script, style, drawings and
// samples are code or bulk data, which the engine must neither escape nor interpret.
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

/// Takes every "svg" out of a view and leaves its index, which is the number of its mark.
std::vector<std::string> take_drawings(nlohmann::json& view);

} // namespace debrief::render

// Text of a job in Markdown (GitHub's), where most punctuation means something.
#pragma once

#include <string>
#include <string_view>

namespace debrief::render {

/// The text as one line that shows itself: what Markdown or HTML would read as a mark is escaped,
/// what cannot be seen is shown (`printable`). It can stand in a sentence, a list or a table's
/// cell, and makes no link, mention, picture or reference to an issue. What is longer than 500
/// characters is cut. Nothing stays nothing.
std::string markdown_text(std::string_view untrusted);

} // namespace debrief::render

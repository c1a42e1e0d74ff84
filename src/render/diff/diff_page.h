// A comparison of two jobs as one self-contained HTML file, and as Markdown.
#pragma once

#include "compare/diff.h"

#include <string>

namespace debrief::render {

std::string to_html(const compare::Diff& diff);

/// GitHub's Markdown, for a pull request or a step's summary; kMaxDiffLines at most.
std::string to_markdown(const compare::Diff& diff);

inline constexpr std::size_t kMaxDiffLines = 60;

} // namespace debrief::render

// The result as a summary in GitHub-flavoured Markdown, for a pull request or a job's step summary:
// verdict, findings, waste, key figures, and the gate where there is one.
#pragma once

#include "result/result.h"

#include <string>
#include <string_view>

namespace debrief::render {

/// Never more lines than this.
inline constexpr std::size_t kMarkdownLines = 60;

std::string to_markdown(const result::Result& result);

/// Text of a job as Markdown shows it and nothing else: one line, at most 500 characters, that is
/// no markup, table cell's end, HTML, link, image or mention. Word joiners, which nobody sees,
/// keep apart what sites link by themselves: `@name`, `#12`, `https://`. Not for a line's first
/// characters.
std::string markdown_text(std::string_view text);

} // namespace debrief::render

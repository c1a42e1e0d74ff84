// The result as a summary in GitHub-flavoured Markdown, for a pull request or a job's step summary:
// verdict, findings, waste, key figures, and the gate where there is one.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::render {

/// Never more lines than this.
inline constexpr std::size_t kMarkdownLines = 60;

std::string to_markdown(const result::Result& result);

} // namespace debrief::render

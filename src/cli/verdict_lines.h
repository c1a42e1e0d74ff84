// What a person at a terminal wants to know before opening the page.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::cli {

/// The verdict with its reason and the next step, up to three findings, and a line of key figures;
/// each line ends with a newline.
std::string verdict_lines(const result::Result& result, bool color);

} // namespace debrief::cli

// The report as one self-contained HTML file.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::render {

std::string to_html(const result::Result& result);

} // namespace debrief::render

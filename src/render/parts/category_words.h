// What categories of GPU work are called and drawn in, everywhere on the page.
#pragma once

#include "chart/svg.h"
#include "result/performance.h"

namespace debrief::render {

/// "matrix products".
const char* category_words(result::WorkCategory category);

chart::Color category_color(result::WorkCategory category);

} // namespace debrief::render

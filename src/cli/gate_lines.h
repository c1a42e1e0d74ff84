// The gate's outcome for a terminal: one line that says how it ended, and one or two for each
// assertion, failed ones first.
#pragma once

#include "result/gate.h"

#include <string>

namespace debrief::cli {

std::string gate_lines(const result::Gate& gate, bool color);

} // namespace debrief::cli

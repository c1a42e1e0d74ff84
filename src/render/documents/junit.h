// The gate's outcome as JUnit XML, which CI services show as tests: one suite, one case per
// assertion. No times: the same input gives the same bytes.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::render {

/// Of a result with a gate.
std::string to_junit(const result::Result& result);

} // namespace debrief::render

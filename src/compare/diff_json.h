// A diff as JSON, `"schema": "debrief.diff/1"` (docs/diff.md).
#pragma once

#include "compare/diff.h"

#include <string>

namespace debrief::compare {

inline constexpr const char* kDiffSchema = "debrief.diff/1";

/// The document as text with a newline at the end; keys are sorted.
std::string to_json_text(const Diff& diff);

} // namespace debrief::compare

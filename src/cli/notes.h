// What a person should know of the reading, on stderr: what was lost, and which settings had no
// effect.
#pragma once

#include "result/result.h"

namespace debrief::cli {

void print_notes(const result::Result& result);

/// Why --strict ends with its exit code, also where notes are not wanted.
void print_strict(const result::DataQuality& quality);

} // namespace debrief::cli

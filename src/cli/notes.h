// What a person should know of the reading, on stderr: what was lost, and which settings had no
// effect.
#pragma once

#include "result/result.h"

namespace debrief::cli {

void print_notes(const result::Result& result);

/// Whether the end of a file, or all of it, could not be read: what was lost may be anything.
bool is_cut_off(const result::DataQuality& quality);

/// Why --strict ends with its exit code, also where notes are not wanted.
void print_strict(const result::DataQuality& quality);

} // namespace debrief::cli

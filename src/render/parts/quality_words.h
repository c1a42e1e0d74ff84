// What was lost, in sentences: for the section "Data quality", the page's head and the terminal.
#pragma once

#include "result/quality.h"

#include <string>

namespace debrief::render {

/// "2 gaps in the samples; no samples of algo-3": nodes, devices and ranks, and times of them, that
/// nothing was recorded of. Empty where there is none.
std::string missing_words(const result::DataQuality& quality);

/// "4 files gave 1,310 samples and 8 events; nothing was lost.", or what was.
std::string quality_sentence(const result::DataQuality& quality);

/// What a reader must know before any figure: losses, other jobs in the folder, skewed clocks.
/// Empty where there is nothing of the kind.
std::string quality_notice(const result::DataQuality& quality);

} // namespace debrief::render

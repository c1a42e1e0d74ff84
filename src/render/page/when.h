// When the GPU time went where it went: a ribbon of causes over the job's time, with the GPUs and
// the CPU below it on the same axis. Without moments, where profiled steps went, process by
// process.
#pragma once

#include "render/page/placeholders.h"
#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// {title, note, rows: [{name, more, class, svg}], axis}; null where nothing tells.
nlohmann::json when_view(const result::Result& result, Placeholders& placeholders);

} // namespace debrief::render

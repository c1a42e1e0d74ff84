// What shows that a model learns, whatever its training loss looks like: held-out data on which it
// gets better, and an accuracy that clearly rises.
#pragma once

#include "findings/model_log.h"

#include <cstdint>
#include <span>

namespace debrief::findings {

/// Whether an accuracy has a trend upwards that is more than noise, and worth something. `values`
/// are shares or percent.
bool rises_clearly(std::span<const double> accuracy);

/// Whether the model got better at something while its training loss did not: on held-out data, or
/// in an accuracy.
bool learned_elsewhere(const ModelLog& log);

/// Whether held-out data or an accuracy ends better than it ever was before a step. What broke
/// there, it was not the model.
bool ends_better_than_before(const ModelLog& log, std::int64_t step);

} // namespace debrief::findings

// How long a step of the job takes, with all that goes on around it.
#pragma once

#include "result/result.h"

#include <optional>

namespace debrief::result {

/// Seconds of the training loop per step: a wait for data between steps is as slow for who waits
/// for the job. Of the process that made the most steps, of all modes; profiled steps are no count
/// of all. Nothing where the loop or its steps are not known.
std::optional<double> seconds_per_step(const Result& result);

} // namespace debrief::result

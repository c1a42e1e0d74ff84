// Reductions of a tensor's values, as SageMaker Debugger's hook saves them.
#pragma once

#include "job/tensors.h"

#include <optional>
#include <span>

namespace debrief::rules::model {

/// Variance and deviation are of the population, as numpy has them. Nothing of no values, nor for
/// Reduction::none. NaN where a value is.
std::optional<double> reduce(std::span<const double> values, job::Reduction reduction);

} // namespace debrief::rules::model

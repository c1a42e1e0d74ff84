// How much of the training loop went to loading data, where SageMaker's rule outputs are all that
// tells of it.
#pragma once

#include "result/result.h"

#include <optional>

namespace debrief::findings {

/// 0 to 1. Without workers a batch is loaded by the training process itself, so each step waits for
/// one load. Nothing where there are workers, or where a figure is missing.
std::optional<double> recorded_loading_share(const result::Result& result);

} // namespace debrief::findings

// Which of the logged metrics is the loss of the objective, and how it went on each data set.
#pragma once

#include "job/scalars.h"
#include "result/xgboost.h"

#include <span>

namespace debrief::aggregate {

/// Fills the loss and the losses of `report`, by its objective.
void add_losses(std::span<const job::ScalarSeries> scalars, result::Xgboost& report);

} // namespace debrief::aggregate

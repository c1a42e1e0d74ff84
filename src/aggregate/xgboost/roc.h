// The receiver operating characteristic: how many of class 1 are found for how many false alarms,
// as the threshold goes down.
#pragma once

#include "result/xgboost.h"

#include <cstdint>
#include <optional>
#include <span>

namespace debrief::aggregate {

/// `labels` are 0 and 1, `scores` finite, row by row. Rows with equal scores are one step of the
/// curve. Nothing where all labels are of one class. `used` is the point of the threshold above
/// which predictions count as class 1.
std::optional<result::Roc> roc_curve(std::span<const std::int64_t> labels,
                                     std::span<const double> scores, double threshold);

} // namespace debrief::aggregate

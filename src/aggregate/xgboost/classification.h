// Predicted classes against labels: the confusion matrix and what follows from it, as scikit-learn
// computes it.
#pragma once

#include "result/xgboost.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// Whether all values are whole numbers that can be classes.
bool are_classes(std::span<const double> values);

/// The distinct values, ascending; nothing where there are more than `most`.
std::optional<std::vector<std::int64_t>> distinct_classes(std::span<const double> values,
                                                          std::size_t most);

/// Of each row of `columns` shares the place of the largest; of several the first.
std::vector<std::int64_t> most_likely(std::span<const double> shares, std::size_t columns);

/// 1 for values above the threshold, else 0.
std::vector<std::int64_t> above_threshold(std::span<const double> values, double threshold);

std::vector<std::int64_t> as_classes(std::span<const double> values);

/// Labels alone.
result::Classification label_counts(std::span<const std::int64_t> labels);

/// Labels and predictions, row by row; at most result::kMaxClasses classes.
result::Classification classification(std::span<const std::int64_t> labels,
                                      std::span<const std::int64_t> predictions);

/// Of each of `classes` (ascending) the share of its labels that were predicted right; absent where
/// no label is of it.
std::vector<std::optional<double>> recalls(std::span<const std::int64_t> classes,
                                           std::span<const std::int64_t> labels,
                                           std::span<const std::int64_t> predictions);

} // namespace debrief::aggregate

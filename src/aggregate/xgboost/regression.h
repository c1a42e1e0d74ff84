// Predicted values against labels: residuals, and how far off predictions are by the label's size.
#pragma once

#include "result/xgboost.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// `values` are finite.
result::Distribution distribution(std::span<const double> values, std::size_t bins);

/// Row by row; both are finite. The bins have no errors yet.
result::Regression regression(std::span<const double> labels, std::span<const double> predictions);

/// The mean absolute error of the labels in each bin; absent where it has none.
std::vector<std::optional<double>> errors_by_bin(std::span<const result::LabelBin> bins,
                                                 std::span<const double> labels,
                                                 std::span<const double> predictions);

inline constexpr std::size_t kValueBins = 40;

} // namespace debrief::aggregate

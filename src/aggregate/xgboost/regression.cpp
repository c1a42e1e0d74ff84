#include "aggregate/xgboost/regression.h"

#include "aggregate/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::aggregate {

namespace {

/// Values so large that their squares are infinite have no moments.
std::optional<double> finite_or_none(double value) {
  return std::isfinite(value) ? std::optional{value} : std::nullopt;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

/// Whether doubles are near enough to each other for bins between these two.
bool has_room_for_bins(double low, double high) {
  constexpr double kNarrowest = 1e-290;
  if (low == high) return low - 0.5 < low;
  return std::isfinite(high - low) && high - low > kNarrowest;
}

/// Which of the bins a label is in: the last has its upper edge, too.
std::size_t bin_of_label(std::span<const result::LabelBin> bins, double label) {
  const auto above =
      std::upper_bound(bins.begin(), bins.end(), label,
                       [](double value, const result::LabelBin& bin) { return value < *bin.to; });
  return std::min(static_cast<std::size_t>(above - bins.begin()), bins.size() - 1);
}

std::vector<result::LabelBin> label_bins(std::span<const double> labels) {
  const result::Histogram counts = histogram(labels, result::kLabelBins);
  std::vector<result::LabelBin> bins(counts.counts.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i].from = counts.edges[i];
    bins[i].to = counts.edges[i + 1];
    bins[i].rows = counts.counts[i];
  }
  return bins;
}

} // namespace

result::Distribution distribution(std::span<const double> values, std::size_t bins) {
  result::Distribution out;
  out.count = static_cast<std::int64_t>(values.size());
  if (values.empty()) return out;
  const double mean = mean_of(values);
  double squares = 0;
  double cubes = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
    cubes += (value - mean) * (value - mean) * (value - mean);
  }
  const auto count = static_cast<double>(values.size());
  const double stddev = std::sqrt(squares / count);
  out.mean = finite_or_none(mean);
  out.stddev = finite_or_none(stddev);
  if (stddev > 0) out.skewness = finite_or_none(cubes / count / (stddev * stddev * stddev));
  std::vector<double> sorted(values.begin(), values.end());
  constexpr std::array kShares = {0.0, 0.05, 0.5, 0.95, 1.0};
  const std::vector<double> found = quantiles(sorted, kShares);
  out.min = found[0];
  out.p05 = found[1];
  out.p50 = found[2];
  out.p95 = found[3];
  out.max = found[4];
  if (has_room_for_bins(*out.min, *out.max)) out.histogram = histogram(values, bins);
  return out;
}

result::Regression regression(std::span<const double> labels, std::span<const double> predictions) {
  result::Regression out;
  if (labels.empty()) return out;
  std::vector<double> residuals;
  residuals.reserve(labels.size());
  double squares = 0;
  double absolute = 0;
  double spread = 0;
  const double mean = mean_of(labels);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double residual = labels[row] - predictions[row];
    residuals.push_back(residual);
    squares += residual * residual;
    absolute += std::abs(residual);
    spread += (labels[row] - mean) * (labels[row] - mean);
  }
  const auto count = static_cast<double>(labels.size());
  out.rmse = finite_or_none(std::sqrt(squares / count));
  out.mae = finite_or_none(absolute / count);
  if (spread > 0) out.r2 = finite_or_none(1 - squares / spread);
  std::erase_if(residuals, [](double value) { return !std::isfinite(value); });
  out.residuals = distribution(residuals, kValueBins);
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  if (has_room_for_bins(*low, *high)) out.bins = label_bins(labels);
  return out;
}

std::vector<std::optional<double>> errors_by_bin(std::span<const result::LabelBin> bins,
                                                 std::span<const double> labels,
                                                 std::span<const double> predictions) {
  std::vector<double> sums(bins.size());
  std::vector<std::int64_t> rows(bins.size());
  if (bins.empty()) return {};
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::size_t bin = bin_of_label(bins, labels[row]);
    sums[bin] += std::abs(labels[row] - predictions[row]);
    ++rows[bin];
  }
  std::vector<std::optional<double>> out;
  for (std::size_t i = 0; i < bins.size(); ++i)
    out.push_back(rows[i] > 0 ? finite_or_none(sums[i] / static_cast<double>(rows[i]))
                              : std::nullopt);
  return out;
}

} // namespace debrief::aggregate

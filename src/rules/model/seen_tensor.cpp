#include "rules/model/seen_tensor.h"

#include <cmath>

namespace debrief::rules::model {

std::optional<double> SeenTensor::scalar() const {
  if (!has_numbers() || data->values.size() != 1) return std::nullopt;
  return data->values.front();
}

std::optional<double> SeenTensor::abs_mean() const {
  if (!has_numbers()) return reductions[static_cast<std::size_t>(job::Reduction::abs_mean)];
  if (data->values.empty()) return std::nullopt;
  if (!abs_mean_) {
    double sum = 0;
    for (const double value : data->values)
      sum += std::abs(value);
    abs_mean_ = sum / static_cast<double>(data->values.size());
  }
  return abs_mean_;
}

std::optional<double> SeenTensor::variance() const {
  if (!has_numbers()) return reductions[static_cast<std::size_t>(job::Reduction::variance)];
  if (data->values.empty()) return std::nullopt;
  if (!variance_) {
    const auto count = static_cast<double>(data->values.size());
    double sum = 0;
    for (const double value : data->values)
      sum += value;
    const double mean = sum / count;
    double squares = 0;
    for (const double value : data->values)
      squares += (value - mean) * (value - mean);
    variance_ = squares / count;
  }
  return variance_;
}

const SeenTensor::Counts& SeenTensor::counts() const {
  if (!counts_) {
    Counts counts;
    for (const double value : data->values) {
      if (value == 0) ++counts.zeros;
      if (std::isnan(value)) ++counts.nans;
      if (std::isinf(value)) ++counts.infinities;
    }
    counts_ = counts;
  }
  return *counts_;
}

} // namespace debrief::rules::model

// One tensor of one step, as rules see it: its values, or reductions of them where only those were
// saved. What several rules need is computed once.
#pragma once

#include "job/tensors.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace debrief::rules::model {

/// Reductions of one tensor; absent what was not saved.
using Reductions = std::array<std::optional<double>, job::kReductions>;

class SeenTensor {
public:
  /// `values` is null where only reductions were saved.
  SeenTensor(std::uint32_t id, const std::string& its_name, const job::TensorStep& of_step,
             const job::TensorData* values, const Reductions& reduced)
      : tensor(id)
      , name(its_name)
      , step(of_step)
      , data(values)
      , reductions(reduced) {}

  SeenTensor(const SeenTensor&) = delete;
  SeenTensor& operator=(const SeenTensor&) = delete;

  /// Numbers of any shape; false for texts, and where only reductions are there.
  bool has_numbers() const { return data != nullptr && data->numeric; }

  /// The number where there is exactly one.
  std::optional<double> scalar() const;

  /// Mean of the absolute values: NaN where a value is.
  std::optional<double> abs_mean() const;

  /// Of the population, as numpy has it by default.
  std::optional<double> variance() const;

  struct Counts {
    std::size_t zeros = 0;
    std::size_t nans = 0;
    std::size_t infinities = 0;
  };

  /// Of has_numbers().
  const Counts& counts() const;

  const std::uint32_t tensor;
  const std::string& name;
  const job::TensorStep& step;
  const job::TensorData* const data;
  const Reductions& reductions;

private:
  mutable std::optional<double> abs_mean_;
  mutable std::optional<double> variance_;
  mutable std::optional<Counts> counts_;
};

} // namespace debrief::rules::model

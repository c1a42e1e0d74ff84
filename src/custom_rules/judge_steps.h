// A condition on values that come step by step: true where it was true at several steps in a row.
#pragma once

#include "custom_rules/condition.h"
#include "rules/model/firings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::custom_rules {

class StepJudge {
public:
  /// `what` is compared ("value", "abs_mean"). Both outlive this.
  StepJudge(const Condition& condition, std::string what, rules::model::Firings& firings);

  /// The value of a tensor or scalar at a step; its steps come in their order. `slot` is small and
  /// of this one alone. NaN breaks a row of steps, and is not compared.
  void see(std::uint32_t slot, const std::string& name, std::int64_t step, double value);

  std::int64_t nans() const { return nans_; }

private:
  const Condition& condition_;
  std::string what_;
  std::string relation_;
  double bound_;
  rules::model::Firings& firings_;
  std::vector<std::int64_t> in_row_; ///< by slot
  std::int64_t nans_ = 0;
};

/// The row of what was found, or why nothing could be compared: `missing`, or that all were NaN.
result::RuleRow row_of(rules::model::Firings firings, std::int64_t nans,
                       const std::string& missing);

} // namespace debrief::custom_rules

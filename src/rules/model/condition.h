// What a rule on the model compares with what.
#pragma once

namespace debrief::rules::model {

/// A condition that was true, or was looked at: "mean of absolute values 3e-9, below 1e-7".
struct Condition {
  const char* what;     ///< "mean of absolute values"
  const char* relation; ///< "above", "below", "at least"
  double value = 0;
  double threshold = 0;
};

} // namespace debrief::rules::model

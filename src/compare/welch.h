// Welch's t-test on values in the order of time.
#pragma once

#include <optional>
#include <vector>

namespace debrief::compare {

/// Two-sided p-value; absent where either side has fewer than two values, or neither varies.
std::optional<double> welch_p_value(const std::vector<double>& a, const std::vector<double>& b);

/// Two-sided p-value where values that follow each other may be alike: a job drifts (clocks, a
/// neighbor on the machine), and a slow block is followed by a slow one. Each sample then counts
/// for as many values as independent ones would say as much: n (1 - r) / (1 + r), at least 2, where
/// r is its correlation from one value to the next, as far as that is above 0. Absent where
/// welch_p_value is.
std::optional<double> drift_p_value(const std::vector<double>& a, const std::vector<double>& b);

} // namespace debrief::compare

// `--baseline`: figures of a job against those of an earlier one. A figure fails where it is worse
// by more than its tolerance and, for durations of steps, by more than the noise of the steps
// themselves (compare/change.h).
#pragma once

#include "compare/figure.h"
#include "gate/tolerance.h"
#include "result/gate.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::gate {

/// Whether a figure is compared without being asked for: what says how fast steps are, how well
/// GPUs are used and how much memory is left. Not the job's duration, nor counts: they tell how
/// much was done, not how well.
bool is_compared_by_default(std::string_view name);

/// The name of the baseline's job.
std::string baseline_name(const nlohmann::json& document);

/// One assertion for every default figure of the baseline, and for every figure with a tolerance of
/// its own. A figure that the baseline has and the job lacks fails: it cannot be told to be as
/// good. Throws Error where the baseline has none of the figures.
std::vector<result::Assertion> compare_with_baseline(const nlohmann::json& baseline,
                                                     std::span<const compare::Figure> figures,
                                                     const Tolerances& tolerances);

} // namespace debrief::gate

// The stretches of a job: initialization, steps by mode, finalization.
#pragma once

#include "aggregate/steps.h"
#include "result/result.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// Times between steps that are longer than this part of the training loop, and than a second,
/// belong to no phase.
inline constexpr double kMaxPause = 0.01;

/// Where processes alternate between modes faster than anyone can see, short stretches give way to
/// those of the mode that comes first, until this many are left.
inline constexpr std::size_t kMaxPhases = 300;

/// Disjoint, by time. A moment that has steps of several modes belongs to the first of them (TRAIN,
/// EVAL, others by name), as in the accounting of time. Steps of unknown clock are left out. Where
/// only profiled steps are known, so is no finalization, and an initialization only if the summary
/// says when the loop began.
std::vector<result::Phase> phases(const result::JobSummary& summary,
                                  std::span<const StepSeries> steps);

} // namespace debrief::aggregate

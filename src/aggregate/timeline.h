// The job on one time axis: its steps, its phases, the span of these and its metrics, and where the
// time went.
#pragma once

#include "aggregate/node_series.h"
#include "aggregate/steps.h"
#include "job/job.h"
#include "result/result.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// All but the nodes' metrics, which to_timeline() gives to the page when nobody else needs them.
/// Steps whose clock is not known cannot be placed and are left out.
result::Timeline timeline(const job::Job& job, const result::JobSummary& summary,
                          std::span<const StepSeries> steps, std::span<const NodeSeries> series);

// The stretches of a job: initialization, steps by mode, finalization.

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

// Where the job's time went: initialization, steps by mode, between steps, finalization. The parts
// do not overlap and sum to the job's duration.

/// Steps whose clock is not known cannot be placed in the job and are left out. Without any other,
/// all of the job that comes after its first step's start, if that is known, is "unattributed"; so
/// is all around profiled steps where these are all that is known.
result::TimeAccounting time_accounting(const result::JobSummary& job,
                                       std::span<const StepSeries> steps);

} // namespace debrief::aggregate

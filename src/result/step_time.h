// How long a step of the job takes, with all that goes on around it.
#pragma once

#include "result/result.h"

#include <optional>

namespace debrief::result {

/// Seconds of the training loop per step: a wait for data between steps is as slow for who waits
/// for the job. Of the process that made the most steps, of all modes; profiled steps are no count
/// of all. Nothing where the loop or its steps are not known.
std::optional<double> seconds_per_step(const Result& result);

/// How many times as long a profiled step took as a step of the job: the profiler itself takes time
/// on the host. Nothing where the job's own steps, or marks of profiled ones, are not known.
std::optional<double> profiling_slowdown(const Result& result);

/// From here on shares of profiled steps say more of the profiler than of the job.
inline constexpr double kDistorted = 1.5;

/// Whether the profiled steps are too slow to stand for the job, whose own steps are known.
inline bool is_profile_distorted(const Result& result) {
  return profiling_slowdown(result).value_or(1) >= kDistorted;
}

/// Of the GPUs' peak, in percent: what a profiled step computed, in the time that a step of the job
/// takes where the profile is distorted.
std::optional<double> flops_utilization(const Result& result);

} // namespace debrief::result

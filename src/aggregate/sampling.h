// How well each node was sampled: interval, gaps, clock. Says what the figures rest on.
#pragma once

#include "job/job.h"
#include "result/quality.h"
#include "result/result.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// Recorders of several machines, and of a machine's devices, begin and end within this much.
inline constexpr Microseconds kOrdinarySpread = 5 * kSecond;

/// A node's clock is taken for skewed where its samples begin and end this much away from the other
/// nodes', by the same amount at both ends.
inline constexpr Microseconds kMinSkew = kOrdinarySpread;

/// The longest time before the first sample and after the last that is not a gap.
Microseconds max_at_ends(Microseconds usual_interval);

std::vector<result::NodeSampling> node_sampling(const job::Job& job);
std::vector<result::ClockSkew> clock_skew(const std::vector<result::NodeSampling>& nodes);

/// Sets what of the job each node has no samples of before its first and after its last. Where a
/// clock is skewed, it is put right, and the job lasts as long as samples were taken.
void find_unsampled_ends(const std::optional<TimeSpan>& job,
                         const std::vector<result::ClockSkew>& skews,
                         std::vector<result::NodeSampling>& nodes);

// Cores and GPUs of a node that were sampled for less long than the node itself, or never.

/// `nodes` are the job's, with their spans and gaps already.
void find_less_sampled(const job::Job& job, std::vector<result::NodeSampling>& nodes);

} // namespace debrief::aggregate

// How well each node was sampled: interval, gaps, clock. Says what the figures rest on.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <vector>

namespace debrief {

/// An interval counts as a gap where it is this many times the usual one, and at least
/// kShortestGap.
inline constexpr double kGapFactor = 5;
inline constexpr Microseconds kShortestGap = kSecond;

/// A node's clock is taken for skewed where its samples begin and end this much away from the other
/// nodes', by the same amount at both ends. Less is the ordinary spread of starting a recorder on
/// several machines.
inline constexpr Microseconds kSmallestSkew = 5 * kSecond;

std::vector<result::NodeSampling> node_sampling(const Job& job);
std::vector<result::ClockSkew> clock_skew(const std::vector<result::NodeSampling>& nodes);

} // namespace debrief

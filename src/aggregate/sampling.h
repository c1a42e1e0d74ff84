// How well each node was sampled: interval, gaps, clock. Says what the figures rest on.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// An interval counts as a gap where it is this many times the usual one, and at least
/// kMinGap.
inline constexpr double kGapFactor = 5;
inline constexpr Microseconds kMinGap = kSecond;

/// Recorders of several machines, and of a machine's devices, begin and end within this much.
inline constexpr Microseconds kOrdinarySpread = 5 * kSecond;

/// A node's clock is taken for skewed where its samples begin and end this much away from the other
/// nodes', by the same amount at both ends.
inline constexpr Microseconds kMinSkew = kOrdinarySpread;

/// Microseconds between samples, one less than there are samples.
std::vector<double> intervals_between(std::span<const Microseconds> times);

/// The longest time without a sample that is no gap, where samples usually come after `usual`
/// microseconds: between two of them, and before the first and after the last.
double longest_interval(double usual);
double longest_at_ends(double usual);

std::vector<result::NodeSampling> node_sampling(const job::Job& job);
std::vector<result::ClockSkew> clock_skew(const std::vector<result::NodeSampling>& nodes);

/// Sets what of the job each node has no samples of before its first and after its last. Where a
/// clock is skewed, it is put right, and the job lasts as long as samples were taken.
void find_unsampled_ends(const std::optional<TimeSpan>& job,
                         const std::vector<result::ClockSkew>& skews,
                         std::vector<result::NodeSampling>& nodes);

} // namespace debrief::aggregate

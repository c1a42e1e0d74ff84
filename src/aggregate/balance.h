// How differently two GPUs worked, by the distance between their histograms of utilization.
#pragma once

#include "result/devices.h"

#include <cstdint>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// The square root of the Jensen-Shannon divergence with the natural logarithm, between histograms
/// of equal size that are scaled to 1: 0 for the same shape, sqrt(ln 2) for no common bin. 0 where
/// one of them is empty.
double histogram_distance(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

/// The number of pairs grows with the square of the GPUs: beyond this many, the first are compared.
inline constexpr std::size_t kMaxCompared = 1000;

/// Every pair of GPUs of the job, of the same node or not, largest distance first.
result::LoadBalance load_balance(const std::vector<result::DeviceRow>& devices);

} // namespace debrief::aggregate

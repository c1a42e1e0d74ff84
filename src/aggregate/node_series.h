// One series for a node out of its devices' series: the mean over its cores or GPUs, or the sum of
// its network directions, moment by moment.
//
// Devices are sampled together but their times may differ by a little: samples within kSameMoment
// of the first belong to one moment, unless a device has had its sample in it already. The mean is
// over the devices that have a value, so a device that missed a moment does not count as zero.
#pragma once

#include "job/metrics.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

inline constexpr Microseconds kSameMoment = 20'000; // SageMaker's rules use the same 20 ms

enum class Combine { mean, sum };

job::SeriesBuilder combine_devices(std::span<const job::MetricSeries* const> devices, Combine how);

/// The same, and what each device had at each moment.
struct Moments {
  job::SeriesBuilder whole;
  std::vector<std::vector<float>> devices; ///< in the order given; NaN: no sample
};

Moments combine_each(std::span<const job::MetricSeries* const> devices, Combine how);

} // namespace debrief::aggregate

// What the result says about resources: how much of each a node used, how each device was used, and
// how alike the GPUs worked.
#pragma once

#include "result/enum_names.h"
#include "result/histogram.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// What of a node is measured. Disks are on the timeline only.
enum class Metric {
  cpu,
  gpu,
  cpu_memory,
  gpu_memory,
  io,
  network,
  disk,
  gpu_sm_activity,
  gpu_power,
  gpu_temperature,
  unknown
};

template <>
inline constexpr auto kNames<Metric> =
    std::to_array<const char*>({"CPU", "GPU", "CPU memory", "GPU memory", "I/O", "Network", "Disk",
                                "SM activity", "GPU power", "GPU temperature", "unknown"});

/// How much of one resource a node used, over all its samples.
struct UsageRow {
  std::string node;
  Metric metric = Metric::unknown;
  std::string unit; ///< "%", "B/s", "W", "°C"
  double max = 0;
  double p99 = 0;
  double p95 = 0;
  double p50 = 0;
  double min = 0;
  std::optional<std::int64_t>
      samples; ///< moments behind the figures; absent where SageMaker computed them
};

/// How one device was used, as a box: middle half, whiskers at 1.5 times its height, ends. In
/// percent. SageMaker's files leave out some of it.
struct DeviceRow {
  std::string node;
  std::string device;              ///< "gpu0"; "cpu" is the mean over the node's cores
  Metric metric = Metric::unknown; ///< of CPU, GPU and GPU memory
  std::optional<std::int64_t> samples;
  std::optional<double> mean;
  std::optional<double> min;
  std::optional<double> p05;
  std::optional<double> p25;
  std::optional<double> p50;
  std::optional<double> p75;
  std::optional<double> p95;
  std::optional<double> max;
  std::optional<double> lower; ///< whisker: max(p25 - 1.5 (p75 - p25), min)
  std::optional<double> upper; ///< whisker: min(p75 + 1.5 (p75 - p25), max)
  Histogram histogram;         ///< 50 bins of 2 points, 0 to 100
};

/// Whether a kernel ran on a GPU, and how many of its multiprocessors had work meanwhile: means
/// over samples that have both, in percent, within the training loop where one is known.
struct SmActivityRow {
  std::string node;
  std::string device; ///< "gpu0"
  std::int64_t samples = 0;
  double utilization = 0;
  double sm_active = 0;
  std::optional<double> tensor_active; ///< share of time in which tensor cores worked
};

/// How differently two GPUs worked.
struct BalancePair {
  std::string first_node;
  std::string first;
  std::string second_node;
  std::string second;
  double distance = 0; ///< 0: alike; at most sqrt(ln 2) = 0.8326
};

struct LoadBalance {
  std::vector<BalancePair> pairs; ///< largest distance first; the first kMaxPairs
  std::int64_t pair_count = 0;
};

inline constexpr std::size_t kMaxPairs = 500;

} // namespace debrief::result

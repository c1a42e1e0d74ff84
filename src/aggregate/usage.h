// How much of each resource every node used over the whole job, and each device: the mean over a
// node's cores, and every GPU with its memory.
#pragma once

#include "aggregate/node_series.h"
#include "job/job.h"
#include "result/devices.h"

#include <cstdint>
#include <span>
#include <vector>

namespace debrief::aggregate {

/// A node's series by what they measure; every span of a job's series belongs to one node.
struct NodeDevices {
  std::string node;
  std::vector<const job::MetricSeries*> cores;   ///< CPU utilization
  std::vector<const job::MetricSeries*> io_wait; ///< per core
  std::vector<const job::MetricSeries*> gpus;    ///< GPU utilization
  std::vector<const job::MetricSeries*> gpu_memory;

  /// The memory series of the same device as `gpu`; null if there is none.
  const job::MetricSeries* memory_of(const job::MetricSeries& gpu) const;
};

std::vector<NodeDevices> devices_by_node(const job::Job& job);

/// One row per node and metric that was recorded: max, p99, p95, p50 and min.
std::vector<result::UsageRow> system_usage(std::span<const NodeSeries> series);

/// `series` are the job's.
std::vector<result::DeviceRow> device_usage(const job::Job& job,
                                            std::span<const NodeSeries> series);

// How differently two GPUs worked, by the distance between their histograms of utilization.

/// The square root of the Jensen-Shannon divergence with the natural logarithm, between histograms
/// of equal size that are scaled to 1: 0 for the same shape, sqrt(ln 2) for no common bin. 0 where
/// one of them is empty.
double histogram_distance(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

/// The number of pairs grows with the square of the GPUs: beyond this many, the first are compared.
inline constexpr std::size_t kMaxCompared = 1000;

/// Every pair of GPUs of the job, of the same node or not, largest distance first.
result::LoadBalance load_balance(const std::vector<result::DeviceRow>& devices);

} // namespace debrief::aggregate

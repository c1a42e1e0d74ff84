// How each device was used: the mean over a node's cores, and every GPU with its memory.
#pragma once

#include "job/job.h"
#include "result/devices.h"

#include <vector>

namespace debrief::aggregate {

/// A node's series by what they measure; every span of a job's series belongs to one node.
struct NodeDevices {
  std::string node;
  std::vector<const job::MetricSeries*> cores;   ///< CPU utilization
  std::vector<const job::MetricSeries*> io_wait; ///< per core
  std::vector<const job::MetricSeries*> gpus;    ///< GPU utilization
  std::vector<const job::MetricSeries*> gpu_memory;

  /// The memory series of the same device as `gpu`; null where there is none.
  const job::MetricSeries* memory_of(const job::MetricSeries& gpu) const;
};

std::vector<NodeDevices> devices_by_node(const job::Job& job);

std::vector<result::DeviceRow> device_usage(const job::Job& job);

} // namespace debrief::aggregate

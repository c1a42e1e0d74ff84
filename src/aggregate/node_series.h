// A node's metrics over time: each made of the series of its devices, as the mean over its cores or
// GPUs, or as the sum of its network directions, moment by moment.
//
// Made once per job. Usage, devices, rules and findings read it; last of all the page draws it.
//
// Samples belong to one moment as MomentCounter has it. The mean is over the devices that have a
// value, so a device that missed a moment does not count as zero.
#pragma once

#include "job/job.h"
#include "result/devices.h"
#include "result/timeline.h"
#include "util/sample_times.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace debrief::aggregate {

/// The metrics of the table of system usage, in its order.
std::span<const result::Metric> usage_metrics();

/// One metric of one node.
struct NodeMetricSeries {
  result::Metric metric = result::Metric::gpu;
  job::Unit unit = job::Unit::percent;
  std::vector<Microseconds> times; ///< rising
  /// Mean over the devices, or their sum; one for each moment.
  std::vector<double> combined;
  /// "cpu0", "receive"; empty: the node has it once.
  std::vector<std::string> devices;
  /// Of each device at each moment; NaN: no sample. float is more than any recorder's precision.
  std::vector<std::vector<float>> values;

  /// The values of "receive", "gpu0", …; null if there is no such device.
  const std::vector<float>* find(std::string_view device) const;
};

struct NodeSeries {
  std::string node;
  std::vector<NodeMetricSeries> metrics; ///< those that were recorded, in their order

  /// Null if the node has not recorded it.
  const NodeMetricSeries* find(result::Metric metric) const;
};

/// Of the nodes that have any of the metrics, in the order of the job's series.
std::vector<NodeSeries> node_series(const job::Job& job);

/// Null if there is none of this name.
const NodeSeries* find_node(std::span<const NodeSeries> series, std::string_view node);

/// The metrics of the table of system usage of which a node has no series, though every recorder
/// has them.
std::vector<std::string> missing_usage(std::span<const job::MetricSeries> of_node);

/// As the page draws them; devices' values are moved, since they can be most of a job's memory.
std::vector<result::NodeTimeline> to_timeline(std::vector<NodeSeries> series);

enum class Combine { mean, sum };

/// Several devices' series as one.
struct CombinedSeries {
  std::vector<Microseconds> times;
  std::vector<double> values;
  std::vector<std::vector<float>> devices; ///< in the order given; NaN: no sample
};

CombinedSeries combine_devices(std::span<const job::MetricSeries* const> devices, Combine how);

} // namespace debrief::aggregate

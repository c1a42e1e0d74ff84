// The metrics of a node, each made of one or more of its series: what the table of system usage and
// the timeline both show.
#pragma once

#include "aggregate/node_series.h"
#include "job/metrics.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

struct NodeMetric {
  const char* name;
  std::vector<job::Metric> parts; ///< series of any of these are its devices
  Combine how;
  job::Unit unit;
};

/// In the order of the table: CPU, GPU, CPU memory, GPU memory, I/O, Network.
std::span<const NodeMetric> usage_metrics();

/// In the order of the page; the same ones, and the disk's. Disks are recorded as bytes or as
/// operations: the second "Disk" is for nodes that have nothing for the first.
const std::vector<const NodeMetric*>& timeline_metrics();

/// The series of which the metric is made.
std::vector<const job::MetricSeries*> parts_of(const NodeMetric& metric,
                                               std::span<const job::MetricSeries> of_node);

/// One stretch of the job's series per node, in their order.
std::vector<std::span<const job::MetricSeries>>
series_by_node(std::span<const job::MetricSeries> all);

} // namespace debrief::aggregate

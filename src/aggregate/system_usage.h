// How much of each resource every node used: max, p99, p95, p50 and min over the whole job.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <span>
#include <string>
#include <vector>

namespace debrief::aggregate {

/// The metrics of the table (CPU, GPU, CPU memory, GPU memory, I/O, Network) of which a node has no
/// series.
std::vector<std::string> missing_usage(std::span<const job::MetricSeries> of_node);

/// One row per node and metric that was recorded.
std::vector<result::UsageRow> system_usage(const job::Job& job);

} // namespace debrief::aggregate

// How much of each resource every node used: max, p99, p95, p50 and min over the whole job.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <string>
#include <vector>

namespace debrief {

/// The metrics of the table, in its order: CPU, GPU, CPU memory, GPU memory, I/O, Network.
const std::vector<std::string>& usage_metrics();

/// One row per node and metric that was recorded.
std::vector<result::UsageRow> system_usage(const Job& job);

} // namespace debrief
